// parse with asObjects.
import fs from 'k6/experimental/fs';
import { parse } from 'k6/experimental/csv';

const file = await fs.open('data/people.csv');
const people = await parse(file, { asObjects: true });
export default function () {
  for (const person of people) console.log(person.name, person.age, person.city, Object.keys(person).sort().join(), JSON.stringify(person));
  console.log(people.length, people.find((p) => p.name === 'bob').city);
}
