// Values with blanks, commas, quotes and equals signs.
import http from 'k6/http';

export default function () {
  const jar = http.cookieJar();
  jar.set(__ENV.BASE, 'eq', 'a=b=c');
  jar.set(__ENV.BASE, 'blank', 'two words');
  jar.set(__ENV.BASE, 'comma', 'a,b');
  jar.set(__ENV.BASE, 'empty', '');
  console.log(JSON.stringify(http.get(`${__ENV.BASE}/cookies`).json('raw')));
  console.log(JSON.stringify(http.get(`${__ENV.RAW_BASE}/bad-cookie`).cookies.ok[0].value));
}
