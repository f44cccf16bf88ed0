// @since 2.0
// Arguments that get and head have no use for.
import http from 'k6/http';
export default function () {
  console.log(http.get(`${__ENV.BASE}/get`, { headers: { a: '1' } }, { tags: { x: 'y' } }).status);
  console.log(http.head(`${__ENV.BASE}/get`, null, 'more', 5).status);
  console.log(http.get(`${__ENV.BASE}/get`, undefined, undefined).status);
}
