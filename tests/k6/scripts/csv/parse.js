// parse: rows as an array all users share.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

export const options = { vus: 2, iterations: 2 };
const rows = await csv.parse(await fs.open('data/people.csv'));
export default function () {
  console.log(rows.length, Array.isArray(rows), JSON.stringify(rows));
  console.log(rows[1][0], rows[3][2], rows[9], rows.map((row) => row[1]).join());
  try { rows[0] = 1; console.log('written'); } catch (e) { console.log(e.name); }
  try { rows[0][0] = 1; console.log('written'); } catch (e) { console.log(e.name); }
}
