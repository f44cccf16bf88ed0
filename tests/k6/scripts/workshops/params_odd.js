// Parameters as people get them wrong: numbers as headers, timeouts in words, auth, compression, tags that are objects.
import http from 'k6/http';
export default function () {
  const b = __ENV.BASE;
  const say = (name, f) => { try { const r = f(); console.log(name, r.status ?? r, r.error_code ?? '', r.json ? JSON.stringify(r.json('headers.x-a') ?? null) : ''); } catch (e) { console.log(name, String(e.message ?? e).replace(b, 'B').slice(0, 160)); } };
  say('number header', () => http.get(`${b}/get`, { headers: { 'X-A': 5 } }));
  say('null header', () => http.get(`${b}/get`, { headers: { 'X-A': null } }));
  say('array header', () => http.get(`${b}/get`, { headers: { 'X-A': ['1', '2'] } }));
  say('no headers', () => http.get(`${b}/get`, { headers: null }));
  say('text timeout', () => http.get(`${b}/get`, { timeout: '10s' }));
  say('bad timeout', () => http.get(`${b}/get`, { timeout: 'soon' }));
  say('short timeout', () => http.get(`${b}/delay/400`, { timeout: 100 }));
  say('bad tags', () => http.get(`${b}/get`, { tags: 5 }));
  say('object tag', () => http.get(`${b}/get`, { tags: { a: { b: 1 } } }));
  say('bad auth', () => http.get(`${b}/get`, { auth: 'nope' }));
  say('gzip', () => http.post(`${b}/post`, 'aaa', { compression: 'gzip', headers: { 'X-A': 'z' } }));
  say('bad compression', () => http.post(`${b}/post`, 'aaa', { compression: 'lzma' }));
  say('gzip none', () => http.get(`${b}/get`, { compression: 'gzip' }));
  say('bad jar', () => http.get(`${b}/get`, { jar: {} }));
  say('bad url', () => http.get('nope'));
  say('bad port', () => http.get('http://localhost:99999/'));
  say('no url', () => http.get());
  say('object url', () => http.get({ url: b }));
  say('space', () => http.get(`${b}/anything/a b?c=d e&f=%zz`));
  say('request', () => http.request('purge', `${b}/anything`));
  say('bad method', () => http.request('A B', `${b}/anything`));
  say('body number', () => http.post(`${b}/post`, 5));
  say('body bool', () => http.post(`${b}/post`, true));
  say('body array', () => http.post(`${b}/post`, [1, 2]));
  say('body date', () => http.post(`${b}/post`, new Date(0)));
  say('redirects', () => http.get(`${b}/redirect/2`, { redirects: 'x' }));
}
