// The server closes: before the answer, in the head, in the body, in a chunk.
import http from 'k6/http';

export default function () {
  for (const path of ['close', 'truncated-headers', 'close-mid-body', 'close-mid-chunk']) {
    const res = http.get(`${__ENV.RAW_BASE}/${path}`);
    console.log(path, res.status, res.error, res.error_code, res.body);
  }
}
