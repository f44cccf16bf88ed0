// Bodies, redirects, cookies and compression over HTTP/2.
import http from 'k6/http';

export default function () {
  const base = __ENV.TLS_BASE;
  console.log(http.post(`${base}/post`, { a: 1 }).json('body'));
  const landed = http.get(`${base}/redirect/2`);
  console.log(landed.status, landed.proto, landed.url);
  http.get(`${base}/cookies/set?a=1`);
  console.log(http.get(`${base}/cookies`).json('cookies.a.0'));
  console.log(http.get(`${base}/gzip`).json('ok'), http.get(`${base}/big/300000`).body.length, http.get(`${base}/status/204`).body);
}
