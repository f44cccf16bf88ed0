// Signatures as APIs want them.
import crypto from 'k6/crypto';
import encoding from 'k6/encoding';
export default async function () {
  const day = crypto.hmac('sha256', 'AWS4secret', '20260101', 'binary');
  const key = ['us-east-1', 's3', 'aws4_request'].reduce((k, p) => crypto.hmac('sha256', k, p, 'binary'), day);
  console.log(crypto.hmac('sha256', key, 'string to sign', 'hex'), crypto.md5('a', 'base64'), crypto.sha1('b', 'hex'));
  const head = encoding.b64encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' }), 'rawurl');
  const body = encoding.b64encode(JSON.stringify({ sub: '한글', iat: 1 }), 'rawurl');
  console.log(`${head}.${body}.${crypto.hmac('sha256', 'k', `${head}.${body}`, 'base64rawurl')}`);
  const h = crypto.createHash('sha512'); h.update('a'); h.update(new Uint8Array([98]).buffer); console.log(h.digest('hex').slice(0, 32));
  const raw = new Uint8Array(encoding.b64decode('/+8=', 'std')); console.log(raw.join(), encoding.b64decode('aGk', 'rawstd', 's'));
  const d = await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array([1, 2, 3])); console.log(new Uint8Array(d).slice(0, 4).join());
  const k = await globalThis.crypto.subtle.importKey('raw', new Uint8Array(32), { name: 'AES-GCM' }, true, ['encrypt', 'decrypt']);
  const e = await globalThis.crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, k, new Uint8Array([5]));
  console.log(new Uint8Array(e).join());
  try { crypto.hmac('sha3', 'a', 'b', 'hex'); } catch (x) { console.log(x.message); }
  try { encoding.b64decode('***'); } catch (x) { console.log(x.message); }
}
