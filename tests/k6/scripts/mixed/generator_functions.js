// Generators, iterators, destructuring and labelled loops.
import { check } from 'k6';
function* pages(last) { let n = 1; while (n <= last) { const back = yield n++; if (back) n = back; } return 'end'; }
export default function () {
  const it = pages(4);
  console.log(it.next().value, it.next().value, it.next(4).value, JSON.stringify(it.next()), JSON.stringify(it.next()));
  const [a, , b = 7, ...rest] = [1, 2, undefined, 4, 5];
  const { x: { y = 3, ...z } = {}, ...more } = { x: { q: 1, r: 2 }, s: 4 };
  console.log(a, b, rest, y, z, more);
  outer: for (const i of [1, 2, 3]) { for (const j of [1, 2, 3]) { if (j === 2) continue outer; if (i === 3) break outer; console.log(i, j); } }
  check([...pages(3)], { 'three pages': (p) => p.length === 3 });
  const m = new Map([['k', { n: 1 }], ['l', 2]]);
  console.log([...m.keys()].join(), Object.fromEntries(m), new Set('hello').size);
  console.log([3, 1, 2].toSorted?.().join() ?? 'none', [1, 2, 3].at(-1), [1, [2, [3]]].flat(Infinity), 'abc'.replaceAll('b', '-'), 1_000n ** 2n);
}
