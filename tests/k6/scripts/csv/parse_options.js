// parse: where rows begin and end, and what separates fields.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

const show = async (name, options) => JSON.stringify(await csv.parse(await fs.open(`data/${name}.csv`), options));
const told = [];
for (const options of [{}, { skipFirstLine: true }, { fromLine: 2 }, { toLine: 2 }, { fromLine: 1, toLine: 2 }, { toLine: 0 }, { fromLine: 0 }, { skipFirstLine: true, fromLine: 1 }, { skipFirstLine: true, fromLine: 3 }, { asObjects: true, toLine: 2 }, { asObjects: false, skipFirstLine: true }]) told.push(`${JSON.stringify(options)} ${await show('people', options)}`);
for (const options of [{ delimiter: ';' }, { delimiter: ';', asObjects: true }, { delimiter: ',' }]) told.push(`${JSON.stringify(options)} ${await show('semicolon', options)}`);
told.push(await show('empty', {}));
export default function () {
  for (const line of told) console.log(line);
}
