// gracefulStop of nothing: interrupted at once.
import http from 'k6/http';

export const options = { scenarios: { s: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '0s' } } };

export default function () {
  http.get(`${__ENV.BASE}/delay/3000`);
}
