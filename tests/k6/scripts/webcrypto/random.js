// getRandomValues and randomUUID.
export default function () {
  for (const Kind of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array]) {
    const array = new Kind(64);
    const same = crypto.getRandomValues(array) === array;
    console.log(Kind.name, same, array.some((n) => n !== 0));
  }
  for (const given of [new Float32Array(2), new Float64Array(1), new BigInt64Array(1), [1, 2], {}, 'text', 5, new Uint8Array(2).buffer, new DataView(new ArrayBuffer(1)), null, undefined]) {
    try { crypto.getRandomValues(given); console.log('filled'); } catch (e) { console.log(e instanceof Error, e.name, e.message); }
  }
  console.log(crypto.getRandomValues(new Uint8Array(65536)).length, crypto.getRandomValues(new Uint8Array(0)).length);
  try { crypto.getRandomValues(new Uint8Array(65537)); } catch (e) { console.log(String(e)); }
  const ids = new Set();
  for (let i = 0; i < 50; i++) ids.add(crypto.randomUUID());
  console.log(ids.size, [...ids].every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
}
