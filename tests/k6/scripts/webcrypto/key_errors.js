// keys that are none, and what importing and making AES keys refuses.
const S = crypto.subtle;
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  const iv = new Uint8Array(16);
  const key = await S.importKey('raw', new Uint8Array(16), 'AES-CBC', true, ['encrypt']);
  for (const other of [{}, 5, 'text', null, { algorithm: {} }, { algorithm: { name: 'AES-CBC' } }, { algorithm: { name: 'AES-CBC' }, usages: ['encrypt'] }]) {
    await attempt('encrypt', () => S.encrypt({ name: 'AES-CBC', iv }, other, bytes('x')));
    await attempt('sign', () => S.sign('HMAC', other, bytes('x')));
  }
  await attempt('other mode', () => S.encrypt({ name: 'AES-GCM', iv }, key, bytes('x')));
  await attempt('no algorithm', () => S.encrypt({ name: 'nope' }, key, bytes('x')));
  await attempt('sign with it', () => S.sign('HMAC', key, bytes('x')));
  await attempt('sign by it', () => S.sign('AES-CBC', key, bytes('x')));
  await attempt('decrypt', () => S.decrypt({ name: 'AES-CBC', iv }, key, new Uint8Array(16)));
  await attempt('text', () => S.encrypt({ name: 'AES-CBC', iv }, key, 'text'));
  for (const [format, data] of [['raw', bytes('12345')], ['raw', 'text'], ['raw', null], ['pkcs8', bytes('x')], ['nope', bytes('x')], ['jwk', { kty: 'oct' }], ['jwk', { kty: 'RSA' }], ['jwk', { kty: 'oct', k: '***' }], ['jwk', { kty: 'oct', k: 5 }], ['jwk', 'text'], ['jwk', { kty: 'oct', k: 'AAAA' }]]) await attempt(`import ${format}`, () => S.importKey(format, data, 'AES-CBC', true, ['encrypt']));
  await attempt('import usage', () => S.importKey('raw', new Uint8Array(16), 'AES-CBC', true, ['sign']));
  await attempt('import no usages', () => S.importKey('raw', new Uint8Array(16), 'AES-CBC', true, []));
  await attempt('import', () => S.importKey('raw', new Uint8Array(16), 'SHA-1', true, []));
  for (const params of [{ name: 'AES-CBC', length: 129 }, { name: 'AES-CBC' }, 'AES-CBC', 'SHA-256', 'nope', 5]) await attempt('make', () => S.generateKey(params, true, ['encrypt']));
  await attempt('make usage', () => S.generateKey({ name: 'AES-CBC', length: 128 }, true, ['sign']));
  await attempt('make no usages', () => S.generateKey({ name: 'AES-CBC', length: 128 }, true, []));
  try { S.generateKey({ name: 'AES-CBC', length: 128 }, true, 5); } catch (e) { console.log(e.name, e.message); }
  await attempt('export', () => S.exportKey('raw', {}));
  await attempt('export form', () => S.exportKey('spki', key));
}
