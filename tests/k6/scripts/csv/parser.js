// Parser: rows one after the other.
import fs from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';

const file = await fs.open('data/people.csv');
const parser = new csv.Parser(file);
console.log(Object.keys(parser).join(), typeof parser.next);
export const options = { iterations: 7 };
export default async function () {
  const { done, value } = await parser.next();
  console.log(__ITER, done, JSON.stringify(value), Array.isArray(value), value.length);
}
