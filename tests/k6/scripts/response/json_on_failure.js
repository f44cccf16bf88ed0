// json() of a failed request throws.
import http from 'k6/http';

export default function () {
  const res = http.get('http://127.0.0.1:1/');
  try {
    res.json('a');
    console.log('no error');
  } catch (error) {
    console.log(error.message);
  }
}
