// when promises of files are settled.
import fs from 'k6/experimental/fs';

const file = await fs.open('data/text.txt');
export default async function () {
  const order = [];
  const reading = file.read(new Uint8Array(1)).then(() => order.push('read'));
  const refused = file.read(null).catch(() => order.push('refused'));
  Promise.resolve().then(() => order.push('microtask'));
  order.push('sync');
  await Promise.all([reading, refused]);
  console.log(order.join());
  file.seek(-1, 0);
  setTimeout(() => console.log('still there'), 5);
}
