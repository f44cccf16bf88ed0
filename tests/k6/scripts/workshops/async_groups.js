// @exit 0
// async functions in check, promises of every outcome, groups after an await: what k6 says and does.
import { group, check } from 'k6';
import http from 'k6/http';
export const options = { iterations: 1 };
export default async function () {
  try { check(1, { 'one': async (v) => v === 1 }); console.log('check taken'); } catch (e) { console.log('check', e.name, e.message); }
  try { check(Promise.resolve(1), { 'resolved': (v) => v === 1 }); } catch (e) { console.log(e.message); }
  const r = await http.asyncRequest('GET', `${__ENV.BASE}/get`);
  group('b', () => { check(r, { 'in b': (x) => x.status === 200 }); });
  const all = await Promise.allSettled([http.asyncRequest('GET', `${__ENV.BASE}/status/201`), http.asyncRequest('GET', 'http://127.0.0.1:1/'), Promise.reject(new TypeError('t'))]);
  console.log(all.map((x) => `${x.status} ${x.value?.status ?? ''}${x.reason?.name ?? ''}`).join('; '));
  console.log(await Promise.any([Promise.reject(1), Promise.resolve(2)]), await Promise.race([new Promise((f) => setTimeout(() => f('slow'), 50)), 'quick']));
  try { await Promise.any([]); } catch (e) { console.log(e.name, e.errors?.length); }
}
