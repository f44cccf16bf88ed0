// Language features of today in one script: generators, proxies, symbols, labelled loops, regex groups, Intl-free dates, BigInt, WeakRef.
export default function () {
  const p = new Proxy({}, { get: (t, k) => (typeof k === 'string' ? `got ${k}` : undefined), has: () => true });
  function* ids(n) { let i = 0; while (i < n) { const back = yield i++; if (back) i = back; } return 'end'; }
  const g = ids(9); g.next(); g.next(5);
  outer: for (const a of [1, 2, 3]) { for (const b of [1, 2]) { if (a * b === 4) break outer; } }
  const { groups } = /(?<y>\d{4})-(?<m>\d\d)/u.exec('on 2026-11'); 
  console.log(p.name, 'x' in p, g.next().value, groups.y, 'a-b-c'.replaceAll('-', '+'), 'x'.padStart(3, '.'), [3, 1, 2].toSorted?.().join());
  console.log((12345.678).toFixed(1), (0.1 + 0.2).toPrecision(3), 2n ** 70n, typeof 1n, Number('0x1f'), parseInt('12px'), [1, [2, [3]]].flat(Infinity).join(), new Set([1, 1, 2]).size, [...new Map([[1, 'a']])].join());
  console.log(new Date(Date.UTC(2026, 0, 31, 5)).toISOString(), new Date('2026-02-30').getTime(), JSON.stringify({ d: new Date(0), u: undefined, f() {}, n: NaN, s: Symbol('x') }), Symbol.for('k').description);
  console.log(`${[1, 2]}`, String({}), [] + {}, String(Symbol('q')), 'ß'.toUpperCase(), 'İ'.toLowerCase().length, 'é'.normalize('NFD').length, encodeURIComponent('a b&ü'), escape('ü'), 'ab'.at(-1), Array.from('⚓a').length);
  console.log(typeof globalThis, typeof Intl, typeof fetch, typeof Buffer, typeof process, typeof window, typeof TextDecoder, typeof crypto);
  try { null.f(); } catch (e) { console.log(e instanceof TypeError, e.stack.split('\n').length > 1); }
  try { (() => { 'use strict'; undefinedName = 1; })(); } catch (e) { console.log(e.name, e.message); }
  try { const c = 1; c = 2; } catch (e) { console.log(e.name); }
  try { JSON.parse('{a'); } catch (e) { console.log(e.name); }
  try { new Array(-1); } catch (e) { console.log(e.name); }
  try { BigInt(1.5); } catch (e) { console.log(e.name); }
  console.log([1, 2, 3].findLast((x) => x < 3), Object.fromEntries([['a', 1]]).a, 'abc'.matchAll ? [...'abcb'.matchAll(/b/g)].length : 0, Number.EPSILON > 0, Math.hypot(3, 4), Math.clz32(1), Math.fround(5.5), (-7) % 3, -7 >> 1, -7 >>> 28);
  console.log({ a: [1, { b: { c: { d: 1 } } }], s: 'x', f: () => 1, d: new Date(0), r: /x/g, n: null, u: undefined, m: new Map([[1, 2]]), e: new Error('in') });
}
