// Redirects without, with an empty and with a bad location.
import http from 'k6/http';

export default function () {
  for (const path of ['no-location', 'empty-location', 'bad-location']) {
    const res = http.get(`${__ENV.RAW_BASE}/${path}`);
    console.log(path, res.status, res.error_code);
  }
}
