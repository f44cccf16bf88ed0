import http from 'k6/http';

const BASE = __ENV.BASE;

// A request without a method is a GET.
export default function () {
  for (const method of ['', null, undefined]) {
    console.log(String(method), http.request(method, `${BASE}/bytes/3`).body.length);
  }
  const responses = http.batch([['', `${BASE}/bytes/4`], { method: '', url: `${BASE}/bytes/5` }, { url: `${BASE}/bytes/6` }]);
  console.log(responses.map((response) => `${response.status} ${response.body.length}`).join(' '));
}
