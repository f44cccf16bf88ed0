// Empty batches and what is no request.
import http from 'k6/http';

export default function () {
  console.log(http.batch([]).length);
  for (const wrong of [undefined, 'text', [{ method: 'GET' }]]) {
    try {
      http.batch(wrong);
      console.log('no error');
    } catch (error) {
      console.log('error', typeof error.message);
    }
  }
}
