// Answers that are no HTTP.
import http from 'k6/http';

export default function () {
  for (const path of ['garbage', 'bad-status', 'bad-chunk', 'bad-header', 'bad-length', 'negative-length', 'two-lengths']) {
    const res = http.get(`${__ENV.RAW_BASE}/${path}`);
    console.log(path, res.status, res.error_code, res.body);
  }
}
