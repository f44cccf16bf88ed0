// Status codes, their texts and error codes; bodies of 204 and 304.
import http from 'k6/http';

export default function () {
  for (const code of [200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504]) {
    const res = http.get(`${__ENV.BASE}/status/${code}`);
    console.log(res.status, res.status_text, res.error_code, JSON.stringify(res.error), JSON.stringify(res.body));
  }
}
