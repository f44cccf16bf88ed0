// Parser with asObjects and with other delimiters.
import fs from 'k6/experimental/fs';
import { Parser } from 'k6/experimental/csv';

const people = new Parser(await fs.open('data/people.csv'), { asObjects: true });
const numbers = new Parser(await fs.open('data/semicolon.csv'), { delimiter: ';', skipFirstLine: true });
export default async function () {
  for (;;) {
    const { done, value } = await people.next();
    if (done) break;
    console.log(value.name, value.age, value.city, Object.keys(value).sort().join());
  }
  for (let i = 0; i < 4; i++) console.log(JSON.stringify(await numbers.next()));
}
