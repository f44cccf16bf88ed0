// CryptoKey objects: what they show, and what writing to them does.
const S = crypto.subtle;
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  const key = await S.generateKey({ name: 'AES-CBC', length: 128 }, true, ['encrypt', 'decrypt']);
  console.log(key);
  console.log(Object.keys(key).join(), Object.keys(key.algorithm).join(), String(key), typeof key);
  console.log(key.containsUsage('encrypt'), key.containsUsage('sign'), key.isKeyPair(), key.resolveCryptoKey() === key);
  try { key.resolveCryptoKeyPair(); } catch (e) { console.log(String(e)); }
  const iv = new Uint8Array(16);
  const json = await S.exportKey('jwk', key);
  console.log(Object.keys(json).sort().join(), json.alg, json.key_ops.join(), json.ext);
  key.usages = ['decrypt'];
  await attempt('encrypt', () => S.encrypt({ name: 'AES-CBC', iv }, key, bytes('x')));
  key.extractable = false;
  await attempt('export', () => S.exportKey('raw', key));
  try { key.more = 1; console.log('more'); } catch (e) { console.log(e.name); }
  const pair = await S.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify', 'sign', 'sign']);
  console.log(pair);
  console.log(pair.isKeyPair(), pair.resolveCryptoKeyPair() === pair);
  await attempt('export', () => S.exportKey('jwk', pair.privateKey));
  const kw = await S.generateKey({ name: 'AES-KW', length: 256 }, true, ['wrapKey', 'unwrapKey']);
  console.log(JSON.stringify(kw));
  await attempt('export', () => S.exportKey('raw', kw));
  await attempt('encrypt', () => S.encrypt({ name: 'AES-KW' }, kw, bytes('x')));
}
