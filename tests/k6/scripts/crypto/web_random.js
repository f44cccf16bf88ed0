// getRandomValues and randomUUID of the global crypto.


export default function () {
  const own = new Uint8Array(32);
  const same = globalThis.crypto.getRandomValues(own);
  console.log(same === own, own.some((b) => b !== 0));
  for (const make of [() => new Uint16Array(4), () => new Int32Array(4), () => new Uint8ClampedArray(4)]) console.log(globalThis.crypto.getRandomValues(make()).length);
  for (const input of [new Float32Array(2), [1, 2], null, new Uint8Array(65537)]) {
    try { globalThis.crypto.getRandomValues(input); console.log('ok'); } catch (e) { console.log('threw', e.name); }
  }
  const id = globalThis.crypto.randomUUID();
  console.log(id.length, id[14], /^[0-9a-f-]{36}$/.test(id), id !== globalThis.crypto.randomUUID());
}
