// ECDSA on each curve: signing, verifying, keys in all forms.
const S = crypto.subtle;
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  for (const namedCurve of ['P-256', 'P-384', 'P-521']) {
    const pair = await S.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']);
    console.log(pair.privateKey.usages.join(), pair.publicKey.usages.join(), pair.publicKey.extractable, String(pair.publicKey.algorithm.namedCurve), JSON.stringify(pair.publicKey.algorithm));
    for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', { name: 'SHA-512' }]) {
      const mark = await S.sign({ name: 'ECDSA', hash }, pair.privateKey, bytes('message'));
      console.log(mark.byteLength, await S.verify({ name: 'ECDSA', hash }, pair.publicKey, mark, bytes('message')), await S.verify({ name: 'ECDSA', hash }, pair.publicKey, mark, bytes('other')), await S.verify({ name: 'ECDSA', hash }, pair.publicKey, mark.slice(1), bytes('message')));
    }
    const mark = await S.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, bytes('message'));
    for (const format of ['raw', 'spki', 'jwk']) {
      const key = await S.importKey(format, await S.exportKey(format, pair.publicKey), { name: 'ECDSA', namedCurve }, true, ['verify']);
      console.log(format, key.type, await S.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, mark, bytes('message')));
    }
    for (const format of ['pkcs8', 'jwk']) {
      const key = await S.importKey(format, await S.exportKey(format, pair.privateKey), { name: 'ECDSA', namedCurve }, true, ['sign']);
      const other = await S.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes('message'));
      console.log(format, key.type, await S.verify({ name: 'ECDSA', hash: 'SHA-256' }, pair.publicKey, other, bytes('message')));
    }
    console.log((await S.exportKey('raw', pair.publicKey)).byteLength, (await S.exportKey('spki', pair.publicKey)).byteLength, (await S.exportKey('pkcs8', pair.privateKey)).byteLength);
    await attempt('raw of private', () => S.exportKey('raw', pair.privateKey));
    await attempt('pkcs8 of public', () => S.exportKey('pkcs8', pair.publicKey));
    await attempt('sign with public', () => S.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.publicKey, bytes('x')));
    await attempt('no hash', () => S.sign({ name: 'ECDSA' }, pair.privateKey, bytes('x')));
  }
  await attempt('curve', () => S.generateKey({ name: 'ECDSA', namedCurve: 'P-257' }, true, ['sign']));
  await attempt('no curve', () => S.generateKey({ name: 'ECDSA' }, true, ['sign']));
  await attempt('usage', () => S.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['encrypt']));
  await attempt('no usages', () => S.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, []));
}
