// compression: the request body is encoded and says so.
import http from 'k6/http';

export default function () {
  for (const compression of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br']) {
    const res = http.post(`${__ENV.BASE}/post`, 'squeeze me '.repeat(50), { compression });
    const seen = res.json();
    console.log(compression, seen.headers['content-encoding'], seen.body.length, seen.length < 200);
  }
}
