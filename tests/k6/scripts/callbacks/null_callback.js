// null: neither metric nor tag.
import http from 'k6/http';

export default function () {
  http.setResponseCallback(null);
  http.get(`${__ENV.BASE}/get`);
  http.get(`${__ENV.BASE}/status/500`);
}
