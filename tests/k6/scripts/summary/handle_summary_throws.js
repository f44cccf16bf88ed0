// @compare stdout TOTAL RESULTS
// A handleSummary that throws falls back to the usual summary.
export default function () {}

export function handleSummary() {
  throw new Error('no summary today');
}
