// Compressed responses are undone without being asked for.
import http from 'k6/http';

export default function () {
  for (const path of ['gzip', 'deflate', 'br', 'zstd', 'encoded/gzip,br', 'encoded/zstd,gzip']) {
    const res = http.get(`${__ENV.BASE}/${path}`);
    const seen = res.json();
    console.log(path, seen.ok, seen.encoding, seen.text.length, res.headers['Content-Encoding']);
  }
}
