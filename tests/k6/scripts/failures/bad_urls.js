// URLs that are none.
import http from 'k6/http';

export default function () {
  for (const url of ['http://', 'http://%%%', 'ftp://host/x', 'not a url', '', '//no-scheme/', 'http://bad host/']) {
    const res = http.get(url);
    console.log(JSON.stringify(url), res.status, res.error, res.error_code);
  }
}
