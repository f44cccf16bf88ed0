// Uncaught rejections of every kind, and iterations after them.
import exec from 'k6/execution';
export const options = { iterations: 5 };
const odd = [() => { Promise.reject(new Error('plain')); }, () => { Promise.reject('text'); }, () => { Promise.reject(undefined); }, () => { const p = Promise.reject(new Error('handled late')); p.catch(() => console.log('caught')); }, async () => { await null; throw { code: 5, toString() { return 'odd'; } }; }];
export default function () {
  const n = exec.scenario.iterationInTest;
  console.log('begin', n);
  return odd[n]();
}
