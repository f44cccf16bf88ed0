// The same file opened several times at once is read whole by each.
import { open as openFile } from 'k6/experimental/fs';
const files = await Promise.all([1, 2, 3].map(() => openFile('./features.json')));
export default async function () {
  for (const file of files) {
    const info = await file.stat();
    const bytes = new Uint8Array(info.size + 10);
    console.log(info.name, await file.read(bytes) === info.size, await file.read(bytes));
  }
}
