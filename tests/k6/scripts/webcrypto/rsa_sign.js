// RSASSA-PKCS1-v1_5 and RSA-PSS.
const S = crypto.subtle;
const bytes = (text) => new Uint8Array(text.split('').map((c) => c.charCodeAt(0)));
const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', String(e)); } };

export default async function () {
  const made = await S.generateKey({ name: 'RSA-PSS', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, true, ['sign', 'verify']);
  console.log(JSON.stringify(made));
  const [secret, open] = [await S.exportKey('pkcs8', made.privateKey), await S.exportKey('spki', made.publicKey)];
  for (const [name, hash, params] of [['RSASSA-PKCS1-v1_5', 'SHA-256', {}], ['RSASSA-PKCS1-v1_5', { name: 'SHA-512' }, {}], ['RSA-PSS', 'SHA-384', { saltLength: 48 }], ['RSA-PSS', 'SHA-256', { saltLength: 20 }]]) {
    const pair = { privateKey: await S.importKey('pkcs8', secret, { name, hash }, true, ['sign']), publicKey: await S.importKey('spki', open, { name, hash }, true, ['verify']) };
    const how = Object.assign({ name }, params);
    const mark = await S.sign(how, pair.privateKey, bytes('message'));
    console.log(name, mark.byteLength, await S.verify(how, pair.publicKey, mark, bytes('message')), await S.verify(how, pair.publicKey, mark, bytes('other')), JSON.stringify(pair.privateKey));
    for (const format of ['spki', 'jwk']) {
      const key = await S.importKey(format, await S.exportKey(format, pair.publicKey), { name, hash }, true, ['verify']);
      console.log(format, key.type, key.algorithm.modulusLength, key.extractable, key.usages.join());
    }
    for (const format of ['pkcs8', 'jwk']) {
      const key = await S.importKey(format, await S.exportKey(format, pair.privateKey), { name, hash }, false, ['sign']);
      const other = await S.sign(how, key, bytes('message'));
      console.log(format, key.type, key.extractable, await S.verify(how, pair.publicKey, other, bytes('message')));
    }
    const json = await S.exportKey('jwk', pair.privateKey);
    console.log(Object.keys(json).sort().join(), json.e, json.n.length);
    await attempt('usage', () => S.sign(how, pair.publicKey, bytes('x')));
    await attempt('spki of private', () => S.exportKey('spki', pair.privateKey));
    await attempt('raw', () => S.exportKey('raw', pair.publicKey));
    if (name === 'RSA-PSS') {
      await attempt('no salt', () => S.sign({ name }, pair.privateKey, bytes('x')));
      await attempt('salt 0', () => S.sign({ name, saltLength: 0 }, pair.privateKey, bytes('x')));
      await attempt('salt 0', () => S.verify({ name, saltLength: 0 }, pair.publicKey, mark, bytes('x')));
      await attempt('salt 500', () => S.sign({ name, saltLength: 500 }, pair.privateKey, bytes('x')));
      await attempt('other salt', () => S.verify({ name, saltLength: 33 }, pair.publicKey, mark, bytes('message')));
    }
  }
}
