// RSA-OAEP, and what making RSA keys refuses.
const S = crypto.subtle;
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const text = (buffer) => String.fromCharCode(...new Uint8Array(buffer));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };
const make = (extra, usages) => S.generateKey(Object.assign({ name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, extra), true, usages || ['encrypt', 'decrypt']);

export default async function () {
  const pair = await make({});
  const json = await S.exportKey('jwk', pair.privateKey);
  for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
    const open = await S.importKey('spki', await S.exportKey('spki', pair.publicKey), { name: 'RSA-OAEP', hash }, true, ['encrypt']);
    const secret = await S.importKey('jwk', json, { name: 'RSA-OAEP', hash }, true, ['decrypt']);
    for (const label of [undefined, bytes('label')]) {
      const sealed = await S.encrypt({ name: 'RSA-OAEP', label }, open, bytes('hidden'));
      console.log(hash, sealed.byteLength, text(await S.decrypt({ name: 'RSA-OAEP', label }, secret, sealed)));
      await attempt('other label', () => S.decrypt({ name: 'RSA-OAEP', label: bytes('x') }, secret, sealed));
    }
  }
  console.log(pair.publicKey.usages.join(), pair.privateKey.usages.join());
  await attempt('too long', () => S.encrypt({ name: 'RSA-OAEP' }, pair.publicKey, new Uint8Array(200)));
  await attempt('nonsense', () => S.decrypt({ name: 'RSA-OAEP' }, pair.privateKey, bytes('hi')));
  await attempt('encrypt with private', () => S.encrypt({ name: 'RSA-OAEP' }, pair.privateKey, bytes('x')));
  await attempt('even', () => make({ publicExponent: new Uint8Array([2]) }));
  await attempt('one', () => make({ publicExponent: new Uint8Array([1]) }));
  await attempt('array', () => make({ publicExponent: [1, 0, 1] }));
  await attempt('none', () => make({ publicExponent: undefined }));
  await attempt('no modulus', () => make({ modulusLength: undefined }));
  await attempt('small', () => make({ modulusLength: 100 }));
  await attempt('hash', () => make({ hash: 'SHA-3' }));
  await attempt('no hash', () => make({ hash: undefined }));
  await attempt('no hash name', () => make({ hash: {} }));
  await attempt('no usages', () => make({}, []));
  await attempt('usage', () => make({}, ['sign']));
  await attempt('import raw', () => S.importKey('raw', bytes('x'), { name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['encrypt']));
  await attempt('import kind', () => S.importKey('jwk', { kty: 'EC' }, { name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['encrypt']));
  await attempt('import n', () => S.importKey('jwk', { kty: 'RSA' }, { name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['encrypt']));
  await attempt('import e', () => S.importKey('jwk', { kty: 'RSA', n: 'AQAB' }, { name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['encrypt']));
}
