// A domain before the name, letters beyond ASCII, and servers that say Negotiate or nothing of themselves.
import http from 'k6/http';

const get = (path, user) => {
  const res = http.get(`${__ENV.BASE}${path}`.replace('://', `://${user}@`), { auth: 'ntlm' });
  console.log(path, res.status, res.status === 200 ? res.json('domain') : res.headers['Www-Authenticate']);
};

export default function () {
  get('/ntlm/ann/pass/CORP', 'CORP%5Cann:pass');
  get('/ntlm/ann/pass/CORP', 'ann:pass');
  get('/ntlm/ann@corp.test/pass', 'ann%40corp.test:pass');
  get('/ntlm/eve/pass?scheme=Negotiate', 'eve:pass');
  get('/ntlm/eve/other?bare=1', 'eve:other');
}
