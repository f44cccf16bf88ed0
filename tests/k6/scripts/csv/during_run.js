// parse while the test runs.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

const file = await fs.open('data/people.csv');
export const options = { iterations: 2 };
export default async function () {
  const rows = await csv.parse(file);
  console.log(__ITER, rows.length);
}
