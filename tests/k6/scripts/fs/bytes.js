// bytes that are no text, and a file with none.
import fs from 'k6/experimental/fs';

const [bytes, empty] = [await fs.open('data/bytes.bin'), await fs.open('data/empty.txt')];
export default async function () {
  const buffer = new Uint8Array(8).fill(7);
  console.log(await bytes.read(buffer), buffer.join(), await bytes.read(buffer));
  console.log(await empty.read(buffer), (await empty.stat()).size, await empty.seek(0, fs.SeekMode.Start));
  try { console.log(await empty.seek(0, fs.SeekMode.End)); } catch (e) { console.log(String(e)); }
}
