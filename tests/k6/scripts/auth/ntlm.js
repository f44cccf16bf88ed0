// NTLM: refused, asked, shown; the connection is known from then on.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/ntlm/ann/pass`.replace('://', '://ann:pass@');
  for (let n = 0; n < 2; n++) {
    const res = http.get(url, { auth: 'ntlm' });
    console.log(res.status, res.body, res.error_code, res.request.url.replace(/:\d+/, ''));
  }
  const posted = http.post(`${__ENV.BASE}/ntlm/bob/secret`.replace('://', '://bob:secret@'), 'a body', { auth: 'ntlm' });
  console.log(posted.status, posted.json('body'), posted.json('user'));
}
