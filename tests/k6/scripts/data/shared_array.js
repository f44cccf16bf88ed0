// SharedArray: length, items, iteration, array methods.
import { SharedArray } from 'k6/data';

const people = new SharedArray('people', function () {
  return JSON.parse(open('./data/people.json'));
});

export default function () {
  console.log(people.length, people[0].name, people[99], Array.isArray(people));
  console.log(people.map((p) => p.age).join(), people.filter((p) => p.age > 30).length, people.find((p) => p.name === 'Bob').age);
  let names = '';
  for (const person of people) names += person.name[0];
  console.log(names, [...people].length, JSON.stringify(people.slice(0, 1)));
  console.log(people[0] === people[0], Object.isFrozen(people[0]));
}
