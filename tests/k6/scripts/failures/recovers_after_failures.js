// Failures of every kind in a row, then a good answer on a fresh connection.
import http from 'k6/http';

export default function () {
  const codes = ['close', 'garbage', 'reset'].map((path) => http.get(`${__ENV.RAW_BASE}/${path}`).error_code);
  console.log(codes.every((code) => code >= 1000), http.get(`${__ENV.RAW_BASE}/echo`).status);
}
