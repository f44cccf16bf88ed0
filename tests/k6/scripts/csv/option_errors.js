// options and arguments that are refused.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e)); } };
const cases = [{ delimiter: ';;' }, { fromLine: 3, toLine: 2 }, { fromLine: 2, toLine: 2 }, { asObjects: true, skipFirstLine: true }, { asObjects: true, fromLine: 1 }, { fromLine: -1 }, { toLine: -1 }, { fromLine: 99 }, null];
for (const options of cases) {
  await attempt(JSON.stringify(options), async () => new csv.Parser(await fs.open('data/people.csv'), options) && 'made');
  await attempt(JSON.stringify(options), async () => (await csv.parse(await fs.open('data/people.csv'), options)).length);
}
for (const file of [5, 'text', {}, true]) {
  await attempt('parser', () => new csv.Parser(file) && 'made');
  await attempt('parse', () => csv.parse(file));
}
await attempt('none', () => new csv.Parser());
await attempt('null', () => new csv.Parser(null));
await attempt('empty', async () => new csv.Parser(await fs.open('data/empty.csv'), { skipFirstLine: true }));
await attempt('empty', async () => csv.parse(await fs.open('data/empty.csv'), { asObjects: true }));
export default async function () {
  await attempt('later', async () => new csv.Parser({}));
}
