// @args --http-debug=full
// @compare stdout ^never$
// --http-debug prints exchanges and changes nothing else.
import http from 'k6/http';

export default function () {
  console.log(http.post(`${__ENV.BASE}/post`, 'body').status);
}
