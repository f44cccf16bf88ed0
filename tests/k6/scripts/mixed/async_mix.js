// Promises, asyncRequest, timers and a race.
import http from 'k6/http';
import { setTimeout, clearTimeout, setInterval, clearInterval } from 'k6/timers';
import { check } from 'k6';
const pause = (ms, v) => new Promise((r) => setTimeout(() => r(v), ms));
export default async function () {
  const order = [];
  queueIt(order);
  const [a, b] = await Promise.all([http.asyncRequest('GET', `${__ENV.BASE}/delay/80`), http.asyncRequest('POST', `${__ENV.BASE}/post`, 'x')]);
  order.push(a.json('delay'), b.status);
  order.push(await Promise.race([pause(400, 'slow'), pause(20, 'fast')]));
  order.push(JSON.stringify(await Promise.allSettled([pause(1, 'ok'), Promise.reject(new Error('no'))]).then((l) => l.map((x) => x.status))));
  order.push(await Promise.any([Promise.reject(1), pause(5, 'any')]));
  let n = 0; await new Promise((r) => { const t = setInterval(() => { if (++n === 3) { clearInterval(t); r(); } }, 10); });
  const never = setTimeout(() => order.push('never'), 50); clearTimeout(never);
  await pause(60);
  console.log(order.join(' '), n);
  check(order, { 'has fast': (o) => o.includes('fast') });
}
function queueIt(o) { Promise.resolve().then(() => o.push('micro')); o.push('sync'); }
