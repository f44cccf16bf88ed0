// @args --iterations 21
class Base { constructor() { throw new Error('in a class'); } }
function Old() { throw new TypeError('in a function'); }

// What stands in a stack and what does not.
export default function () {
  const list = [1, 2];
  const cases = [
    () => new Base(),
    () => new Old(),
    () => list.map(() => { throw new Error('map'); }),
    () => list.forEach(function named() { throw new Error('forEach'); }),
    () => JSON.parse('{', () => 1),
    () => new Map([[1, 2]]).forEach(() => null.x),
    () => 'abc'.replace(/b/, () => { throw new Error('replace'); }),
    () => list.sort(() => { throw new Error('sort'); }),
    () => Reflect.construct(Base, []),
    () => { const o = { m() { throw new Error('method'); } }; o.m(); },
    () => { class S { static s() { throw new Error('static'); } } S.s(); },
    () => { class S { get g() { throw new Error('getter'); } } return new S().g; },
    () => list.reduce(() => { throw new Error('reduce'); }),
    () => Array.from(list, () => { throw new Error('from'); }),
    () => (function inner() { throw new Error('call'); }).call({}),
    () => (function inner() { throw new Error('apply'); }).apply({}, []),
    () => { function* g() { yield 1; throw new Error('generator'); } return [...g()]; },
    () => new Proxy({}, { get() { throw new Error('proxy'); } }).x,
    () => JSON.stringify({ toJSON() { throw new Error('toJSON'); } }),
    () => { const { a = (() => { throw new Error('default'); })() } = {}; return a; },
    () => { throw Object.assign(new Error('named'), { name: 'Custom' }); },
  ];
  cases[__ITER]();
}
