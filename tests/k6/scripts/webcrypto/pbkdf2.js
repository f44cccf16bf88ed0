// PBKDF2: bits and keys from a password.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e), e.name, Object.keys(e).join()); } };

export default async function () {
  const key = await S.importKey('raw', bytes('password'), 'PBKDF2', false, ['deriveBits', 'deriveKey']);
  console.log(JSON.stringify(key), Object.keys(key.algorithm).join());
  for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', { name: 'SHA-512' }]) {
    for (const salt of [bytes('salt'), bytes('salt').buffer, 'salt']) console.log(hex(await S.deriveBits({ name: 'PBKDF2', hash, salt, iterations: 100 }, key, 256)));
    const derived = await S.deriveKey({ name: 'PBKDF2', hash, salt: 'salt', iterations: 3 }, key, { name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']);
    console.log(JSON.stringify(derived), hex(await S.exportKey('raw', derived)));
  }
  const bits = (params, length) => S.deriveBits(Object.assign({ name: 'PBKDF2', hash: 'SHA-256', salt: 'salt', iterations: 2 }, params), key, length);
  await attempt('no length', () => bits({}));
  await attempt('length 0', () => bits({}, 0));
  await attempt('length 7', () => bits({}, 7));
  await attempt('iterations 0', () => bits({ iterations: 0 }, 64));
  await attempt('no iterations', () => bits({ iterations: undefined }, 64));
  await attempt('iterations as text', async () => hex(await bits({ iterations: '2' }, 64)));
  await attempt('no salt', () => bits({ salt: null }, 64));
  await attempt('salt 5', () => bits({ salt: 5 }, 64));
  await attempt('hash', () => bits({ hash: 'SHA-2' }, 64));
  await attempt('no hash', () => bits({ hash: undefined }, 64));
  const to = (wanted, usages) => S.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', salt: 'salt', iterations: 2 }, key, wanted, true, usages || ['encrypt']);
  await attempt('to HMAC', () => to({ name: 'HMAC', hash: 'SHA-1', length: 256 }));
  await attempt('to 96 bits', () => to({ name: 'AES-CBC', length: 96 }));
  await attempt('to 100 bits', () => to({ name: 'AES-CBC', length: 100 }));
  await attempt('to no length', () => to({ name: 'AES-CBC' }));
  await attempt('to no usages', () => to({ name: 'AES-CBC', length: 128 }, []));
  await attempt('no key', () => S.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: 'salt', iterations: 2 }, 5, 64));
  await attempt('extractable', () => S.importKey('raw', bytes('p'), 'PBKDF2', true, ['deriveBits']));
  await attempt('usage', () => S.importKey('raw', bytes('p'), 'PBKDF2', false, ['sign']));
  await attempt('jwk', () => S.importKey('jwk', {}, 'PBKDF2', false, ['deriveBits']));
  await attempt('export', () => S.exportKey('raw', key));
}
