// one file read twice, and rows shared by users.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';
import exec from 'k6/execution';

export const options = { scenarios: { all: { executor: 'per-vu-iterations', vus: 3, iterations: 1 } } };
const file = await fs.open('data/many.csv');
const rows = await csv.parse(file);
const again = await csv.parse(file, { fromLine: 0 });
export default function () {
  console.log(rows.length, rows[2999].join(), again.length, rows[exec.scenario.iterationInTest][1].length, rows.filter((row) => row[0] % 500 === 0).map((row) => row[2]).join());
}
