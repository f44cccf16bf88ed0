// how paths may be written.
import { open } from 'k6/experimental/fs';

const told = [];
for (const path of ['data/text.txt', './data/text.txt', 'data/../data/./text.txt', `file://${import.meta.resolve('./data/text.txt').replace('file://', '')}`]) {
  const file = await open(path);
  told.push(`${file.path.split('/').slice(-3).join('/')} ${(await file.stat()).size}`);
}
export default function () {
  for (const line of told) console.log(line);
}
