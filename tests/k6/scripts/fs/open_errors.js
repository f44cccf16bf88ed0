// files that cannot be opened.
import fs from 'k6/experimental/fs';

const told = [];
const short = (text) => text.replace(/"[^"]*\//g, '"');
for (const given of ['data/none.txt', 'data', '.', '', null, undefined, 5]) {
  try { await fs.open(given); told.push('opened'); } catch (e) { told.push([e instanceof Error, e.name, short(e.message), short(String(e)), Object.keys(e).join()].join(' ')); }
}
export default async function () {
  for (const line of told) console.log(line);
  try { await fs.open('data/text.txt'); console.log('opened'); } catch (e) { console.log(e.name, e.message, JSON.stringify(e)); }
}
