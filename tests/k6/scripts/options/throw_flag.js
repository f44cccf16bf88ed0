// @args --throw
// --throw turns warnings into exceptions.
import http from 'k6/http';

export default function () {
  try {
    http.get('http://127.0.0.1:1/');
    console.log('no error');
  } catch (error) {
    console.log('error');
  }
}
