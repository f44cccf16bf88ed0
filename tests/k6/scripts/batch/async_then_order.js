// Order of synchronous code, promises and timers around a request.
import http from 'k6/http';

export default function () {
  http.asyncRequest('GET', `${__ENV.BASE}/delay/100`).then((r) => console.log('answer', r.status));
  setTimeout(() => console.log('timer'), 10);
  Promise.resolve().then(() => console.log('microtask'));
  console.log('sync');
}
