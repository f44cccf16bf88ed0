// json() of an empty body.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json/empty`);
  try {
    console.log(res.json());
  } catch (error) {
    console.log('error', error.message);
  }
}
