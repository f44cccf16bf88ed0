// arguments that read refuses, and buffers of all sizes.
import fs from 'k6/experimental/fs';

const file = await fs.open('data/text.txt');
export default async function () {
  for (const given of [undefined, null, 5, 'text', {}, [1, 2], new Uint16Array(2), new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Uint8ClampedArray(3)]) {
    try { console.log(await file.read(given)); } catch (e) { console.log(e instanceof Error, e.name, e.message); }
  }
  console.log(await file.read(new Uint8Array(0)), await file.read(new Uint8Array(3)));
  const whole = new Uint8Array(12);
  console.log(await file.read(whole.subarray(4, 8)), whole.join());
  console.log(await file.read(new Uint8Array(1000)), await file.read(new Uint8Array(1000)), await file.read(new Uint8Array(0)));
}
