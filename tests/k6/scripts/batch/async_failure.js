// A failed async request resolves; with throw it rejects.
import http from 'k6/http';

export default async function () {
  const res = await http.asyncRequest('GET', 'http://127.0.0.1:1/');
  console.log(res.status, res.error_code);
  try {
    await http.asyncRequest('GET', 'http://127.0.0.1:1/', null, { throw: true });
    console.log('not reached');
  } catch (error) {
    console.log('rejected');
  }
}
