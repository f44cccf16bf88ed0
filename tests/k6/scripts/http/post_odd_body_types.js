// Bodies k6 does not know: a warning and no request.
import http from 'k6/http';

export default function () {
  for (const body of [12, 1.5, true]) {
    const res = http.post(`${__ENV.BASE}/post`, body);
    console.log(typeof body, res.status, res.error, res.error_code);
  }
}
