// HTTP spoken to a TLS port, TLS spoken to an HTTP port.
import http from 'k6/http';

export default function () {
  console.log(http.get(__ENV.TLS1_BASE.replace('https', 'http')).status);
  const res = http.get(__ENV.BASE.replace('http', 'https'));
  console.log(res.status, res.error_code >= 1000);
}
