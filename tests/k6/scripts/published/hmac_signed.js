// Requests signed with a shared secret.
import http from 'k6/http';
import crypto from 'k6/crypto';
import encoding from 'k6/encoding';
import { check } from 'k6';

const SECRET = __ENV.SECRET || 'not so secret';

function signed(method, path, body) {
  const at = 1700000000;
  const text = [method, path, at, crypto.sha256(body, 'hex')].join('\n');
  return { 'X-Date': `${at}`, 'X-Signature': crypto.hmac('sha256', SECRET, text, 'base64') };
}

export default function () {
  const body = JSON.stringify({ amount: 10 });
  const res = http.post(`${__ENV.BASE}/post`, body, { headers: signed('POST', '/post', body) });
  console.log(res.json('headers.x-signature'), encoding.b64encode('ann:secret', 'rawurl'));
  check(res, { signed: (r) => r.json('headers.x-date') === '1700000000' });
}
