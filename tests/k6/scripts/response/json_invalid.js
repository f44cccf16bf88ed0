// json() of a body that is no JSON.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json/bad`);
  console.log(res.json('a'), res.json('zzz'));
  try {
    res.json();
    console.log('no error');
  } catch (error) {
    console.log('error', error.message);
  }
}
