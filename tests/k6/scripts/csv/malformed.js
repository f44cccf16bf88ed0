// files that are no proper CSV.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e)); } };
for (const name of ['uneven', 'open_quote', 'bare_quote', 'extra']) {
  await attempt(name, async () => JSON.stringify(await csv.parse(await fs.open(`data/${name}.csv`))));
  const parser = new csv.Parser(await fs.open(`data/${name}.csv`));
  for (let i = 0; i < 3; i++) await attempt(name, async () => { try { return JSON.stringify(await parser.next()); } catch (e) { return `stopped ${e}`; } });
}
export default function () {}
