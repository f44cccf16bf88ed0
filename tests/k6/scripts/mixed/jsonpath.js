// Selectors of response.json.
import http from 'k6/http';
export default function () {
  const r = http.post(`${__ENV.BASE}/post`, JSON.stringify({ users: [{ n: 'a', age: 3, tags: ['x', 'y'] }, { n: 'b', age: 30 }, { n: 'c', age: 14 }], 'dot.ted': 1, nul: null, big: 12345678901234567890, f: 1.50, t: true }), { headers: { 'Content-Type': 'application/json' } });
  for (const s of ['json.users.#', 'json.users.#.n', 'json.users.1.n', 'json.users.#(age>10).n', 'json.users.#(age>10)#.n', 'json.users.0.tags.1', 'json.dot\\.ted', 'json.nul', 'json.big', 'json.f', 'json.t', 'json.nothing', 'json.users.#(n=="b").age', 'json.users|0|n', 'json.users.#.{n,age}', 'json.users.@reverse.0.n', 'json.*d', 'json.users.9', ''])
    { let v; try { v = r.json(s); } catch (e) { v = e.message; } console.log(s, JSON.stringify(v), typeof v); }
  console.log(r.json().json.users.length, Object.keys(r.json().json.users[0]).join());
  try { http.get(`${__ENV.BASE}/html`).json(); } catch (e) { console.log(e.message); }
  console.log(http.get(`${__ENV.BASE}/html`).json('a.b'));
}
