// ECDSA keys and signatures made elsewhere.
const S = crypto.subtle;
const hex = (buffer) => Array.from(new Uint8Array(buffer)).map((b) => b.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => new Uint8Array(text.match(/../g).map((b) => parseInt(b, 16)));
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };
// RFC 6979, appendix A.2.5
const x = '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6';
const y = '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299';

export default async function () {
  const params = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await S.importKey('raw', fromHex(`04${x}${y}`), params, true, ['verify']);
  const json = await S.exportKey('jwk', key);
  console.log(json.kty, json.crv, json.x, json.y, json.d);
  console.log(hex(await S.exportKey('spki', key)));
  const mark = fromHex('efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8');
  console.log(await S.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, mark, bytes('sample')), await S.verify({ name: 'ECDSA', hash: 'SHA-512' }, key, mark, bytes('sample')));
  const private_ = await S.importKey('jwk', Object.assign({ d: 'ya-p2EW6dRZrXCFXZ7HWk05Qw9s26JsSe4piKxIPZyE' }, json), params, true, ['sign']).catch((e) => String(e));
  console.log(typeof private_);
  await attempt('short', () => S.importKey('raw', bytes('x'), params, true, ['verify']));
  await attempt('curve', () => S.importKey('raw', bytes('x'), { name: 'ECDSA', namedCurve: 'P-1' }, true, ['verify']));
  await attempt('no curve', () => S.importKey('raw', bytes('x'), 'ECDSA', true, ['verify']));
  await attempt('rsa', () => S.importKey('jwk', { kty: 'RSA' }, params, true, ['verify']));
  await attempt('no crv', () => S.importKey('jwk', { kty: 'EC' }, params, true, ['verify']));
  await attempt('no x', () => S.importKey('jwk', { kty: 'EC', crv: 'P-256' }, params, true, ['verify']));
  await attempt('no y', () => S.importKey('jwk', { kty: 'EC', crv: 'P-256', x: 'AA' }, params, true, ['verify']));
  await attempt('crv', () => S.importKey('jwk', { kty: 'EC', crv: 'P-9', x: 'AA', y: 'AA' }, params, true, ['verify']));
  await attempt('base64', () => S.importKey('jwk', { kty: 'EC', crv: 'P-256', x: '*', y: 'AA' }, params, true, ['verify']));
  await attempt('number', () => S.importKey('jwk', { kty: 'EC', crv: 5 }, params, true, ['verify']));
}
