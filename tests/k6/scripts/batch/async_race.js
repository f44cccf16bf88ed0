// Promise.race: the fastest wins, the others still end.
import http from 'k6/http';

export default async function () {
  const ask = (ms) => http.asyncRequest('GET', `${__ENV.BASE}/delay/${ms}`).then((r) => r.json('delay'));
  console.log(await Promise.race([ask(500), ask(50)]));
}
