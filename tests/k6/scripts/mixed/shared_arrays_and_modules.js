// Shared data, a CommonJS module, JSON by open, and state of a module per user.
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
const counter = require('./lib/counter.js');
import { next, default as tool } from './lib/tool.mjs';
const people = new SharedArray('people', () => open('./data/people.csv').trim().split('\n').slice(1).map((l, i) => ({ i, l })));
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };
export default function () {
  const p = people[exec.scenario.iterationInTest % people.length];
  const calls = [counter.up(), next(), tool.name];
  try { people.push(1); } catch (e) { calls.push(e.name); }
  try { p.l = 'x'; calls.push('changed'); } catch (e) { calls.push(e.name); }
  if (exec.vu.idInTest === 1) console.log(calls.join(), people.length, exec.vu.iterationInInstance);
}
