// AES-CBC: vectors, round trips, what is refused.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  for (const size of [16, 24, 32]) {
    const key = await S.importKey('raw', new Uint8Array(size).fill(7), 'AES-CBC', true, ['encrypt', 'decrypt']);
    const iv = new Uint8Array(16).fill(9);
    for (const text of ['x', 'sixteen bytes ok', 'somewhat longer than one block of it']) {
      const sealed = await S.encrypt({ name: 'AES-CBC', iv }, key, bytes(text));
      const opened = await S.decrypt({ name: 'aes-cbc', iv: iv.buffer }, key, sealed);
      console.log(size, hex(sealed), String.fromCharCode(...new Uint8Array(opened)) === text);
    }
  }
  const key = await S.importKey('raw', new Uint8Array(16), { name: 'AES-CBC' }, false, ['encrypt', 'decrypt']);
  const iv = new Uint8Array(16);
  await attempt('nothing', () => S.encrypt({ name: 'AES-CBC', iv }, key, new Uint8Array(0)));
  await attempt('short iv', () => S.encrypt({ name: 'AES-CBC', iv: new Uint8Array(15) }, key, bytes('x')));
  await attempt('short iv', () => S.decrypt({ name: 'AES-CBC', iv: new Uint8Array(15) }, key, new Uint8Array(16)));
  await attempt('no iv', () => S.encrypt({ name: 'AES-CBC' }, key, bytes('x')));
  await attempt('iv as number', () => S.encrypt({ name: 'AES-CBC', iv: 5 }, key, bytes('x')));
  await attempt('iv as array', async () => hex(await S.encrypt({ name: 'AES-CBC', iv: Array.from(iv) }, key, bytes('x'))));
  await attempt('text for params', () => S.encrypt('AES-CBC', key, bytes('x')));
  await attempt('wrong padding', () => S.decrypt({ name: 'AES-CBC', iv }, key, new Uint8Array(32)));
}
