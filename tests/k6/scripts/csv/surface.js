// what the module exports.
import csv, * as all from 'k6/experimental/csv';

export default function () {
  console.log(Object.keys(all).sort().join(), Object.keys(csv).sort().join(), typeof csv.parse, typeof csv.Parser);
  try { csv.Parser({}); console.log('called'); } catch (e) { console.log(e instanceof Error); }
}
