// crypto.subtle.digest refused: what the promise is rejected with.
const show = (e) => [e instanceof Error, e.name, e.message, String(e), JSON.stringify(e), Object.keys(e).join()].join(' | ');

export default async function () {
  const cases = [['SHA-257', new Uint8Array(1)], ['MD5', new Uint8Array(1)], ['SHA-1', 'text'], ['SHA-1', [1, 2]], ['SHA-1', 5], ['SHA-1', new DataView(new ArrayBuffer(2))], [5, new Uint8Array(1)], [{}, new Uint8Array(1)], [{ name: 'AES-CBC' }, new Uint8Array(1)]];
  for (const [name, data] of cases) {
    try { console.log((await crypto.subtle.digest(name, data)).byteLength); } catch (e) { console.log(show(e), typeof e.error); }
  }
  try { crypto.subtle.digest('SHA-1', null); } catch (e) { console.log('at once', String(e)); }
  const order = [];
  const rejected = crypto.subtle.digest('SHA-2', new Uint8Array(1)).catch(() => order.push('rejected'));
  const resolved = crypto.subtle.digest('SHA-1', new Uint8Array(1)).then(() => order.push('resolved'));
  await Promise.resolve().then(() => order.push('microtask'));
  await Promise.all([rejected, resolved]);
  console.log(order.join());
}
