// json() of ten thousand rows, and its cache.
// @computes
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json/big?n=10000`);
  const rows = res.json();
  console.log(rows.length, rows[9999].id, rows[77].name, rows.reduce((sum, row) => sum + row.price, 0));
  console.log(res.json('#'), res.json('500.name'), res.json() === rows);
}
