// Plain JSON data, one copy per user, can be changed.
const people = JSON.parse(open('./data/people.json'));

export default function () {
  people[0].age = 99;
  people.push({ name: 'Dee' });
  console.log(people.length, people[0].age);
}
