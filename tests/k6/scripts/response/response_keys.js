// Names of all fields of a response.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/get`);
  console.log(Object.keys(res).sort().join());
  console.log(typeof res.json, typeof res.html, typeof res.submitForm, typeof res.clickLink);
}
