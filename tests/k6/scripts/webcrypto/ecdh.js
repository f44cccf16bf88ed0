// ECDH: what both sides compute, and what is refused.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  for (const [namedCurve, length] of [['P-256', 256], ['P-384', 384], ['P-521', 528]]) {
    const make = () => S.generateKey({ name: 'ECDH', namedCurve }, true, ['deriveBits', 'deriveKey']);
    const [a, b] = [await make(), await make()];
    const one = await S.deriveBits({ name: 'ECDH', public: b.publicKey }, a.privateKey, length);
    const other = await S.deriveBits({ name: 'ECDH', public: a.publicKey }, b.privateKey, length);
    console.log(namedCurve, one.byteLength, hex(one) === hex(other), a.privateKey.usages.join(), a.publicKey.usages.length);
    const copy = await S.importKey('raw', await S.exportKey('raw', a.publicKey), { name: 'ECDH', namedCurve }, true, []);
    const key = await S.importKey('pkcs8', await S.exportKey('pkcs8', b.privateKey), { name: 'ECDH', namedCurve }, true, ['deriveBits']);
    console.log(hex(await S.deriveBits({ name: 'ECDH', public: copy }, key, 128)) === hex(one.slice(0, 16)));
    const json = await S.importKey('jwk', await S.exportKey('jwk', b.privateKey), { name: 'ECDH', namedCurve }, true, ['deriveBits']);
    const spki = await S.importKey('spki', await S.exportKey('spki', a.publicKey), { name: 'ECDH', namedCurve }, true, []);
    console.log(hex(await S.deriveBits({ name: 'ECDH', public: spki }, json, 64)) === hex(one.slice(0, 8)));
    await attempt('too long', () => S.deriveBits({ name: 'ECDH', public: b.publicKey }, a.privateKey, 1024));
  }
  const a = await S.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const c = await S.generateKey({ name: 'ECDH', namedCurve: 'P-384' }, true, ['deriveKey']);
  const s = await S.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const bits = (other, key, length) => S.deriveBits({ name: 'ECDH', public: other }, key, length);
  await attempt('0', () => bits(a.publicKey, a.privateKey, 0));
  await attempt('7', () => bits(a.publicKey, a.privateKey, 7));
  await attempt('other curve', () => bits(c.publicKey, a.privateKey, 64));
  await attempt('usage', () => bits(c.publicKey, c.privateKey, 64));
  await attempt('private', () => bits(a.privateKey, a.privateKey, 64));
  await attempt('other algorithm', () => bits(s.publicKey, a.privateKey, 64));
  await attempt('object', () => bits({}, a.privateKey, 64));
  await attempt('number', () => bits(5, a.privateKey, 64));
  await attempt('none', () => bits(undefined, a.privateKey, 64));
  await attempt('base object', () => bits(a.publicKey, {}, 64));
  await attempt('derived key', () => S.deriveKey({ name: 'ECDH', public: a.publicKey }, a.privateKey, { name: 'AES-CBC', length: 256 }, true, ['encrypt']));
  await attempt('import', () => S.importKey('raw', new Uint8Array(65), { name: 'ECDH', namedCurve: 'P-256' }, true, []));
  await attempt('import json', () => S.importKey('jwk', { kty: 'oct' }, { name: 'ECDH', namedCurve: 'P-256' }, true, []));
}
