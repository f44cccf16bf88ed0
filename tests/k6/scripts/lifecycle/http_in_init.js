// @exit 107
// Requests in init code are refused.
import http from 'k6/http';

http.get(`${__ENV.BASE}/get`);

export default function () {}
