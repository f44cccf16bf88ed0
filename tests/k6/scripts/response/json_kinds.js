// json() of arrays, scalars and text beyond ASCII.
import http from 'k6/http';

export default function () {
  console.log(JSON.stringify(http.get(`${__ENV.BASE}/json/array`).json()), http.get(`${__ENV.BASE}/json/array`).json('1'));
  console.log(http.get(`${__ENV.BASE}/json/scalar`).json());
  const text = http.get(`${__ENV.BASE}/json/unicode`).json();
  console.log(text.ko, text.emoji, text.escaped, text.ko.length, text.emoji.length);
}
