// The server resets the connection.
import http from 'k6/http';

export default function () {
  for (const path of ['reset', 'reset-mid-body']) {
    const res = http.get(`${__ENV.RAW_BASE}/${path}`);
    console.log(path, res.status, res.error_code, res.body);
  }
}
