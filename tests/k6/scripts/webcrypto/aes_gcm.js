// AES-GCM: vectors with tags of all lengths, additional data, what is refused.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  const iv = new Uint8Array(12).fill(1);
  for (const size of [16, 24, 32]) {
    const key = await S.importKey('raw', new Uint8Array(size).fill(5), 'AES-GCM', true, ['encrypt', 'decrypt']);
    for (const tagLength of [undefined, 96, 104, 112, 120, 128]) {
      const params = { name: 'AES-GCM', iv, additionalData: bytes('head'), tagLength };
      const sealed = await S.encrypt(params, key, bytes('some text to hide'));
      const opened = await S.decrypt(params, key, sealed);
      console.log(size, tagLength, hex(sealed), String.fromCharCode(...new Uint8Array(opened)));
    }
  }
  const key = await S.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt', 'decrypt']);
  const sealed = await S.encrypt({ name: 'AES-GCM', iv }, key, bytes('text'));
  const changed = new Uint8Array(sealed.slice(0));
  changed[0] ^= 1;
  await attempt('changed', () => S.decrypt({ name: 'AES-GCM', iv }, key, changed));
  await attempt('other head', () => S.decrypt({ name: 'AES-GCM', iv, additionalData: bytes('h') }, key, sealed));
  await attempt('too short', () => S.decrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(15)));
  await attempt('no iv', () => S.decrypt({ name: 'AES-GCM' }, key, sealed));
  for (const tagLength of [1, 32, 64, 100, 256]) {
    await attempt(`tag ${tagLength}`, () => S.encrypt({ name: 'AES-GCM', iv, tagLength }, key, bytes('x')));
    await attempt(`tag ${tagLength}`, () => S.decrypt({ name: 'AES-GCM', iv, tagLength }, key, sealed));
  }
  for (const length of [0, 8, 13, 16]) await attempt(`iv ${length}`, () => S.encrypt({ name: 'AES-GCM', iv: new Uint8Array(length) }, key, bytes('x')));
  await attempt('nothing', async () => (await S.encrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(0))).byteLength);
}
