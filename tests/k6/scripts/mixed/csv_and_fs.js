// A file by k6/experimental/fs and csv, streaming one record an iteration.
import { open, SeekMode } from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';
import { check } from 'k6';
const file = await open('./data/people.csv');
const parser = new csv.Parser(file, { skipFirstLine: true });
const names = await csv.parse(await open('./data/people.csv'), { delimiter: ',', asObjects: true });
export const options = { iterations: 4 };
export default async function () {
  const { done, value } = await parser.next();
  console.log(done, value ? value.join('/') : value, names.length, names[1].city);
  const stat = await file.stat();
  const buffer = new Uint8Array(4);
  await file.seek(0, SeekMode.Start);
  const read = await file.read(buffer);
  check(stat, { named: (s) => s.name === 'people.csv', sized: (s) => s.size > 10 });
  console.log(read, String.fromCharCode(...buffer));
}
