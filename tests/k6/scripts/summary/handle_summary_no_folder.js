// A file in a folder that does not exist.
// @exit 0
export default function () {}

export function handleSummary() {
  return { 'no/such/folder.txt': 'x' };
}
