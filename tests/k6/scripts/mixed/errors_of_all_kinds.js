// Exceptions of many kinds, one each iteration.
import { fail, check, group } from 'k6';
import http from 'k6/http';
export const options = { iterations: 9 };
const kinds = [
  () => { throw 'a text'; }, () => { throw { code: 5 }; }, () => { throw null; }, () => fail('given up'), () => fail(),
  () => { class Own extends Error { constructor(m) { super(m); this.name = 'Own'; } } throw new Own('of my own'); },
  () => group('g', () => { throw new TypeError('in a group'); }),
  () => check(1, { bad: () => { throw new RangeError('in a check'); } }),
  () => { try { throw new Error('inner'); } catch (e) { throw new Error('outer', { cause: e }); } },
];
export default function () { kinds[__ITER](); }
