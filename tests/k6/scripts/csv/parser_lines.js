// Parser: options for lines.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

const told = [];
for (const options of [undefined, {}, { skipFirstLine: true }, { fromLine: 1, toLine: 2 }, { fromLine: 3 }, { toLine: 1 }, { toLine: 0 }, { asObjects: true, toLine: 2 }]) {
  const parser = new csv.Parser(await fs.open('data/people.csv'), options);
  const rows = [];
  for (let row = await parser.next(); !row.done; row = await parser.next()) rows.push(Array.isArray(row.value) ? row.value[0] : row.value.name);
  told.push(`${JSON.stringify(options)} ${rows.join()}`);
}
export default function () {
  for (const line of told) console.log(line);
}
