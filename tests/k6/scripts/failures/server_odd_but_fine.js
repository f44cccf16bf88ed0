// Odd answers that are allowed.
import http from 'k6/http';

export default function () {
  for (const path of ['http10', 'http10-length', 'no-length', 'lf-only', 'no-reason', 'odd-reason', 'lower-case', 'continue', 'early-hints', 'body-in-204']) {
    const res = http.get(`${__ENV.RAW_BASE}/${path}`);
    console.log(path, res.status, JSON.stringify(res.status_text), res.proto, JSON.stringify(res.body), res.error_code);
  }
}
