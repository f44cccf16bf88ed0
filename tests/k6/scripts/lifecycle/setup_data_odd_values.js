// Values that JSON has no form for, as Go writes them.
export function setup() {
  return {
    symbol: Symbol('named'),
    map: new Map([['k', { v: 1 }]]),
    set: new Set([1, 'two']),
    bytes: new Uint8Array([1, 2, 255]),
    shorts: new Int16Array([1, -2]),
    floats: new Float64Array([0.5]),
    big: 12345678901234567890n,
    regexp: /a/g,
    error: new Error('lost'),
    promise: Promise.resolve(1),
    hole: [1, , undefined],
  };
}

export default function (data) {
  for (const key of Object.keys(data).sort()) {
    console.log(key, JSON.stringify(data[key]));
  }
}
