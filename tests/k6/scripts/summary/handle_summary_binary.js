// @compare file bytes.txt
// Binary content of a file.
export default function () {}

export function handleSummary() {
  return { 'bytes.txt': new Uint8Array([104, 105, 10]).buffer };
}
