// A response body of some length and a long list print whole.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.BASE}/text/5000`).body.length);
  console.log(Array.from({ length: 200 }, (_, i) => i));
  console.log({ long: 'y'.repeat(300) });
}
