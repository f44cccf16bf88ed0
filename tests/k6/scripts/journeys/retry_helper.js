// A retry helper around requests.
import http from 'k6/http';

function retry(limit, ask) {
  let res;
  for (let n = 1; n <= limit; n++) {
    res = ask();
    if (res.status === 200) return [n, res];
  }
  return [limit, res];
}

export const options = { iterations: 4 };

export default function () {
  http.get(`${__ENV.BASE}/fail-every/2?name=first`);
  const [tries, res] = retry(3, () => http.get(`${__ENV.BASE}/fail-every/2?name=retry`));
  console.log(tries, res.status, res.json('count'));
}
