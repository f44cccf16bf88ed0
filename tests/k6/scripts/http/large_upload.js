// A request body of one megabyte arrives whole.
import http from 'k6/http';

export default function () {
  const res = http.post(`${__ENV.BASE}/post`, 'y'.repeat(1048576), { responseType: 'text' });
  console.log(res.status, res.json('length'));
}
