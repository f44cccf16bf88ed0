// @exit 0
// throw: a failed request is an exception.
import http from 'k6/http';

export const options = { throw: true };

export default function () {
  try {
    http.get('http://127.0.0.1:1/');
  } catch (error) {
    console.log('caught', error.message);
  }
  http.get('http://%%%');
  console.log('not reached');
}
