import http from 'k6/http';

const BASE = __ENV.BASE;

// What is sorted here has no order in k6.
const shown = (response) => {
  const { cookies } = response.request;
  return Object.keys(cookies).sort().map((name) => `${name}=${JSON.stringify(cookies[name])}`).join(' ');
};

export default function () {
  console.log('none', shown(http.get(`${BASE}/bytes/1`)));
  http.cookieJar().set(BASE, 'jar', '1');
  console.log('jar', shown(http.get(`${BASE}/bytes/1`)));
  console.log('both', shown(http.get(`${BASE}/bytes/1`, { cookies: { own: '2' } })));
  console.log('same name', shown(http.get(`${BASE}/bytes/1`, { cookies: { jar: '3' } })));
  console.log('replaced', shown(http.get(`${BASE}/bytes/1`, { cookies: { jar: { value: '4', replace: true } } })));
  console.log('header', shown(http.get(`${BASE}/bytes/1`, { headers: { Cookie: 'h=5; i=6' } })));
}
