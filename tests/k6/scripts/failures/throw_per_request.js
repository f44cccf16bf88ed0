// throw of one request.
import http from 'k6/http';

export default function () {
  console.log(http.get('http://127.0.0.1:1/', { throw: false }).error_code);
  try {
    http.get('http://127.0.0.1:1/', { throw: true });
    console.log('not reached');
  } catch (error) {
    console.log('caught', error instanceof Error);
  }
}
