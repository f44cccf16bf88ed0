// An answer in the set-up data: its methods are left out, its cookies have Go's names for their fields.
import http from 'k6/http';

const BASE = __ENV.BASE;

export function setup() {
  const answer = http.get(`${BASE}/cookies/set?a=1`, { redirects: 0 });
  return { answer, list: http.batch([`${BASE}/get`, `${BASE}/get`]) };
}

export default function (data) {
  console.log(Object.keys(data.answer).sort().join(' '));
  console.log(data.answer.status, data.answer.status_text, data.answer.request.method, data.list.length);
  const cookies = Object.keys(data.answer.cookies).sort();
  console.log(cookies.join(' '), cookies.map((name) => Object.keys(data.answer.cookies[name][0]).sort().join(' ')).join());
  console.log(data.list.map((one) => `${one.status} ${typeof one.json}`).join());
}

export function teardown(data) {
  console.log(typeof data.answer.html, data.answer.timings.duration > 0);
}
