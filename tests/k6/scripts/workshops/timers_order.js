// Timers, microtasks and their order; cleared ones; one that throws after the iteration's function is over.
import { setTimeout as later, clearTimeout, setInterval as every, clearInterval } from 'k6/timers';
import { sleep } from 'k6';
export const options = { iterations: 2 };
export default function () {
  const seen = [];
  const t = later(() => seen.push('never'), 10);
  clearTimeout(t);
  let n = 0;
  const i = every(() => { seen.push(`i${++n}`); if (n === 3) { clearInterval(i); console.log(seen.join(' ')); } }, 20);
  setTimeout((a, b) => seen.push(`args ${a}${b}`), 0, 'x', 'y');
  Promise.resolve().then(() => seen.push('micro'));
  sleep(0.03);
  seen.push('sync');
  if (__ITER === 1) setTimeout(() => { throw new RangeError('late'); }, 5);
  for (const f of [() => (__ITER === 1 ? setTimeout() : setTimeout('w', 1)), () => setTimeout('x', 1), () => setTimeout(() => {}, -5), () => clearTimeout('z')]) { try { const r = f(); console.log(typeof r); if (r > 0) clearInterval(r); } catch (e) { console.log(e.name, e.message); } }
}
