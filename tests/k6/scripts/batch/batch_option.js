// batch limits requests at once over all hosts.
import http from 'k6/http';

export const options = { batch: 2 };

export default function () {
  const url = `${__ENV.BASE}/delay/200`;
  const start = Date.now();
  http.batch([url, url, url, url]);
  const took = Date.now() - start;
  console.log(took >= 390, took < 1000);
}
