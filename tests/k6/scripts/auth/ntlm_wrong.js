// A wrong password, no user at all, a challenge that is none, and a server that asks for something else.
import http from 'k6/http';

const get = (path, user) => {
  const url = `${__ENV.BASE}${path}`.replace('://', user ? `://${user}@` : '://');
  const res = http.get(url, { auth: 'ntlm' });
  console.log(path, res.status, res.error_code, JSON.stringify(res.body));
};

export default function () {
  get('/ntlm/ann/pass', 'ann:nope');
  get('/ntlm/ann/pass', '');
  get('/ntlm/ann/pass', ':');
  get('/ntlm/ann/pass?broken=1', 'ann:pass');
  get('/basic-auth/ann/pass', 'ann:pass');
  get('/digest-auth/ann/pass', 'ann:pass');
  get('/get', 'ann:pass');
}
