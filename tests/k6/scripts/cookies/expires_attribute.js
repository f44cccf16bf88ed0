// A cookie with a date, one of them in the past.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

export default function () {
  const late = encodeURIComponent('Wed, 01 Jan 2048 00:00:00 GMT');
  const past = encodeURIComponent('Thu, 01 Jan 1998 00:00:00 GMT');
  const res = http.get(`${__ENV.BASE}/cookies/set-attrs?name=late&value=1&path=/&expires=${late}`);
  console.log(res.cookies.late[0].expires);
  http.get(`${__ENV.BASE}/cookies/set-attrs?name=gone&value=1&path=/&expires=${past}`);
  console.log(sorted(http.get(`${__ENV.BASE}/cookies`).json('cookies')));
}
