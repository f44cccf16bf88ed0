// a file read in pieces.
import { open, SeekMode } from 'k6/experimental/fs';

const file = await open('data/text.txt');
export const options = { iterations: 2 };
export default async function () {
  const buffer = new Uint8Array(10);
  let text = '';
  for (;;) {
    const count = await file.read(buffer);
    console.log(count);
    if (count === null) break;
    text += String.fromCharCode(...buffer.subarray(0, count));
  }
  console.log(JSON.stringify(text));
  if (__ITER === 0) console.log(await file.seek(0, SeekMode.Start));
}
