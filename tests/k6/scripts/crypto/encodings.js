// each form of output.
import crypto from 'k6/crypto';

export default function () {
  for (const form of ['hex', 'base64', 'base64url', 'base64rawurl']) console.log(form, crypto.sha1('loadline', form), crypto.hmac('sha256', 'k', 'loadline', form));
  const raw = crypto.sha1('loadline', 'binary');
  console.log(raw instanceof ArrayBuffer, raw.byteLength, Array.from(new Uint8Array(raw)).join(','));
  console.log(crypto.hmac('md5', 'k', 'd', 'binary').byteLength);
}
