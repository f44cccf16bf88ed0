// How values print.
export default function () {
  console.log(1, 1.5, -0, 1e21, NaN, Infinity, true, null, undefined, 'text', '', 10n);
  console.log([1, 'two', [3]], [], {}, { a: 1 }, { a: { b: { c: { d: 1 } } } });
  console.log({ text: 'x', list: [1, null, undefined], f: () => 1, n: null, u: undefined });
  console.log(new Error('oops').message, [new Date(0)], { d: new Date(0) });
  console.log(new Map([[1, 2]]), new Set([1]), /re/g, Symbol.iterator.toString());
  console.log(new Uint8Array([1, 2]), new ArrayBuffer(2));
  console.log();
}
