// @compare file a.txt
// @compare file b.txt
// @compare file c.txt
// What handleSummary may return.
export default function () {}
export function handleSummary() { return { 'a.txt': 'text', 'b.txt': new Uint8Array([104, 105]).buffer, 'c.txt': 5, 'no/such/folder.txt': 'x', stderr: 'to stderr\n' }; }
