// @compare stdout TOTAL RESULTS
// What handleSummary may return instead of an object.
export default function () {}

export function handleSummary() {
  return undefined;
}
