// What the console makes of values.
export default function () {
  console.log(new Date(0), /x/gi, new Error('broken'), Symbol('s'), 10n, -0, NaN, [undefined, null], [, 1]);
  console.log({ a: { b: { c: { d: { e: 1 } } } } }, () => 1, function named() {}, class Foo {});
  console.log(new Map([[1, { a: 2 }]]), new Set([1, 'b']), new WeakMap(), Promise.resolve(3), new Uint8Array(3), new ArrayBuffer(2));
  console.log('%s is %d', 'text', 5, { toString() { return 'own'; } }, Object.create(null));
  console.log('line\nbreak', '\ttab', '"quoted"', '한글', '😀', '\u0000');
  const loop = { name: 'loop' }; loop.self = loop; console.log(loop);
  console.warn('w', 1); console.error('e', { code: 2 }); console.debug('d'); console.info('i', true, null, undefined);
  console.log(); console.log(''); console.log([]); console.log({}); console.log([[]], [{}]); console.log(Object.assign(new Error('with'), { code: 7 }));
  console.log(new (class Point { constructor() { this.x = 1; } get sum() { return 2; } })(), new Number(5), new String('s'), new Boolean(false));
  console.log({ toJSON() { return 'json'; } }, { get boom() { throw new Error('getter'); } });
}
