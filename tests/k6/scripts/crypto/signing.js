// a request signed over its parts.
import http from 'k6/http';
import crypto from 'k6/crypto';

export default function () {
  const parts = ['POST', '/orders', '{"id":1}', '1700000000'].join('\n');
  const signature = crypto.hmac('sha256', 'top secret', parts, 'base64');
  const digest = crypto.sha256(parts, 'base64url');
  const res = http.post(`${__ENV.BASE}/echo`, parts, { headers: { 'X-Signature': signature, Digest: digest } });
  console.log(res.status, res.request.headers['X-Signature'][0] === signature, signature, digest);
}
