// A function k6/http does not have.
import http from 'k6/http';

export default function () {
  console.log(typeof http.nosuch);
  http.nosuch('x');
}
