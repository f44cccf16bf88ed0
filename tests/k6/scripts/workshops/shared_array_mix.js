// SharedArrays from CSV and JSON: frozen rows, spread, errors in the maker, and use by several users.
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
const people = new SharedArray('people', () => JSON.parse(open('./data/users.json')).users);
const rows = new SharedArray('rows', function () {
  return open('./data/users.csv').trim().split('\n').slice(1).map((l) => l.split(','));
});
const texts = new SharedArray('texts', () => ['a', 1, null, true, [1], { b: 2 }]);
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 1 } } };
const tries = [];
for (const [name, f] of [['empty name', () => new SharedArray('', () => [])], ['no function', () => new SharedArray('x')], ['no array', () => new SharedArray('y', () => ({}))], ['throws', () => new SharedArray('z', () => { throw new Error('inside'); })], ['async', () => new SharedArray('w', async () => [])]]) {
  try { f(); tries.push(`${name} fine`); } catch (e) { tries.push(`${name}: ${e.message ?? e}`); }
}
export default function () {
  const me = people[exec.vu.idInTest % people.length];
  if (exec.vu.idInTest !== 1) return;
  for (const t of tries) console.log(t);
  console.log(people.length, me.name, me.roles.length, [...people].map((p) => p.name).join(), people.at ? 'at' : 'no at', people[9]);
  console.log(rows.map((r) => r.length).join(), JSON.stringify(texts), texts.indexOf('a'), Array.isArray(people), people instanceof SharedArray);
  try { people[0].name = 'x'; console.log('kept', people[0].name); } catch (e) { console.log('row', e.name); }
  try { people.push(1); } catch (e) { console.log('push', e.name); }
  try { people[0] = {}; console.log('set'); } catch (e) { console.log('set', e.name); }
  for (const p of people) { if (p.roles.includes('c')) console.log('found', p.name); }
  console.log(Object.keys(people).join(), people.find((p) => p.roles.length === 0).name, JSON.stringify(people.filter((p) => p.roles[0])).length);
  try { new SharedArray('late', () => []); } catch (e) { console.log(e.message ?? e); }
}
