// The words of errors that scripts meet.
const told = (name, work) => {
  try {
    console.log(name, 'none', String(work()));
  } catch (error) {
    console.log(name, error.name, error.message);
  }
};

export default function () {
  const frozen = Object.freeze({ a: 1 });
  const list = Object.freeze([1]);
  const closed = Object.preventExtensions({});
  const read = { get a() { return 1; } };
  class A { get x() { return 1; } static get y() { return 1; } #p = 1; static u(o) { return o.#p; } m() {} }
  told('frozen set', () => { frozen.a = 2; });
  told('frozen add', () => { frozen.b = 2; });
  told('frozen delete', () => delete frozen.a);
  told('frozen define', () => Object.defineProperty(frozen, 'a', { value: 3 }));
  told('frozen push', () => list.push(2));
  told('frozen pop', () => list.pop());
  told('closed add', () => { closed.x = 1; });
  told('closed define', () => Object.defineProperty(closed, 'x', { value: 1 }));
  told('prototype', () => Object.setPrototypeOf(frozen, {}));
  told('getter', () => { read.a = 1; });
  told('class getter', () => { new A().x = 1; });
  told('static getter', () => { A.y = 1; });
  told('private', () => A.u({}));
  told('number member', () => { (5).x = 1; });
  told('BigInt and number', () => 1n + 1);
  told('number times BigInt', () => 2 * 1n);
  told('plus BigInt', () => +1n);
  told('Math of BigInt', () => Math.max(1n));
  told('shift', () => 1n >>> 0n);
  told('by zero', () => 1n / 0n);
  told('negative exponent', () => 2n ** -1n);
  told('BigInt of text', () => BigInt('x'));
  told('JSON of BigInt', () => JSON.stringify({ a: 1n }));
  told('symbol as number', () => +Symbol('s'));
  told('array length', () => new Array(-1));
  told('set length', () => { [].length = -1; });
  told('toFixed', () => (1).toFixed(101));
  told('toPrecision', () => (1).toPrecision(0));
  told('toExponential', () => (1).toExponential(101));
  told('normalize', () => 'a'.normalize('x'));
  told('buffer', () => new ArrayBuffer(-1));
  told('method of nothing', () => 'abc'.at.call(null));
  told('define on number', () => Object.defineProperty(1, 'a', {}));
  told('description', () => Object.defineProperty({}, 'a', 5));
  told('create', () => Object.create(5));
  told('Map without new', () => Map());
  told('Promise without new', () => Promise());
  told('extends', () => { class B extends 5 {} return B; });
  told('super twice', () => { class B extends A { constructor() { super(); super(); } } return new B(); });
  told('sort', () => [2, 1].sort(5));
  told('startsWith', () => 'a'.startsWith(/a/));
  told('flags', () => new RegExp('a', 'zz'));
  told('callee', () => (function () { 'use strict'; return arguments.callee; })());
  told('typed set', () => new Uint8Array(1).set([1, 2]));
  told('JSON', () => JSON.parse('{"a":}'));
  told('JSON with a reviver', () => JSON.parse('{"a":}', (k, v) => v));
}
