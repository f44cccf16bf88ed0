// AES-CTR: vectors, round trips, what is refused.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  const counter = new Uint8Array(16).fill(255);
  for (const size of [16, 24, 32]) {
    const key = await S.importKey('raw', new Uint8Array(size).fill(3), 'AES-CTR', true, ['encrypt', 'decrypt']);
    for (const length of [1, 64, 128]) {
      const sealed = await S.encrypt({ name: 'AES-CTR', counter, length }, key, bytes('more than a single block of text'));
      const opened = await S.decrypt({ name: 'AES-CTR', counter, length }, key, sealed);
      console.log(size, length, hex(sealed), opened.byteLength);
    }
  }
  const key = await S.generateKey({ name: 'AES-CTR', length: 256 }, false, ['encrypt', 'decrypt']);
  for (const params of [{ counter, length: 0 }, { counter, length: 129 }, { counter }, { counter: new Uint8Array(8), length: 64 }, { length: 64 }, { counter, length: -1 }]) {
    const all = Object.assign({ name: 'AES-CTR' }, params);
    await attempt('encrypt', () => S.encrypt(all, key, bytes('x')));
    await attempt('decrypt', () => S.decrypt(all, key, bytes('x')));
  }
  await attempt('nothing', async () => (await S.encrypt({ name: 'AES-CTR', counter, length: 64 }, key, new Uint8Array(0))).byteLength);
}
