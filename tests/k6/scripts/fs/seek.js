// seeking from each place.
import { open, SeekMode } from 'k6/experimental/fs';

const file = await open('data/text.txt');
export default async function () {
  const at = async () => { const b = new Uint8Array(5); const n = await file.read(b); return `${n} ${JSON.stringify(String.fromCharCode(...b.subarray(0, n)))}`; };
  for (const [offset, whence] of [[4, SeekMode.Start], [0, SeekMode.Start], [3, SeekMode.Current], [-5, SeekMode.Current], [0, SeekMode.Current], [0, SeekMode.End], [-4, SeekMode.End], [-43, SeekMode.End], [44, SeekMode.Start], [1000, SeekMode.Start], [-1, SeekMode.Start], [1, SeekMode.End], [-1000, SeekMode.Current], [-1000, SeekMode.End], [1000, SeekMode.Current]]) {
    try { console.log(offset, whence, await file.seek(offset, whence), await at()); } catch (e) { console.log(offset, whence, e.name, e.message, String(e)); }
  }
}
