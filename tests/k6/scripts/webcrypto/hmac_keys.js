// HMAC: signing, verifying, keys made and imported.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  for (const hash of ['SHA-1', 'SHA-256', { name: 'SHA-384' }, 'SHA-512']) {
    const key = await S.importKey('raw', bytes('a secret'), { name: 'HMAC', hash }, true, ['sign', 'verify']);
    const mark = await S.sign('HMAC', key, bytes('message'));
    console.log(hex(mark), await S.verify('HMAC', key, mark, bytes('message')), await S.verify({ name: 'hmac' }, key, mark, bytes('other')), await S.verify('HMAC', key, mark.slice(1), bytes('message')));
    console.log(JSON.stringify(key), key.algorithm.hash.name, key.algorithm.length, hex(await S.exportKey('raw', key)));
    const json = await S.exportKey('jwk', key);
    console.log(json.kty, json.k, json.alg, json.ext, json.key_ops.join());
    const again = await S.importKey('jwk', json, { name: 'HMAC', hash }, false, ['verify']);
    console.log(await S.verify('HMAC', again, mark, bytes('message')));
    const made = await S.generateKey({ name: 'HMAC', hash }, true, ['sign']);
    console.log(made.algorithm.length, (await S.exportKey('raw', made)).byteLength, made.type);
    await attempt('no verify', () => S.verify('HMAC', made, mark, bytes('x')));
    await attempt('not exported', () => S.exportKey('raw', again));
  }
  const make = (extra, usages) => S.generateKey(Object.assign({ name: 'HMAC', hash: 'SHA-256' }, extra), true, usages || ['sign']);
  await attempt('length', async () => (await S.exportKey('raw', await make({ length: 24 }))).byteLength);
  await attempt('no length', () => make({ length: 0 }));
  await attempt('hash', () => make({ hash: 'SHA-2' }));
  await attempt('no hash', () => S.generateKey('HMAC', true, ['sign']));
  await attempt('usage', () => make({}, ['encrypt']));
  await attempt('no usages', () => make({}, []));
  await attempt('import length', () => S.importKey('raw', bytes('abc'), { name: 'HMAC', hash: 'SHA-256', length: 8 }, true, ['sign']));
  await attempt('import nothing', () => S.importKey('raw', new Uint8Array(0), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']));
  await attempt('import spki', () => S.importKey('spki', bytes('abc'), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']));
  await attempt('export spki', async () => S.exportKey('spki', await make({})));
}
