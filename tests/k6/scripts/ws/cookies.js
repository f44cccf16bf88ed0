import ws from 'k6/ws';
import http from 'k6/http';
const W = __ENV.BASE.replace('http', 'ws');
const told = (params, path) => ws.connect(`${W}${path || '/ws/headers'}`, params, (socket) => {
  socket.on('message', (m) => { console.log(JSON.parse(m).cookie); socket.close(); });
});
export default function () {
  told(null);
  http.cookieJar().set(`${__ENV.BASE}/`, 'a', '1');
  told(null);
  const jar = new http.CookieJar();
  jar.set(`${__ENV.BASE}/`, 'own', '2');
  told({ jar });
  told({ jar, headers: { Cookie: 'by=hand' } });
  told(null, '/ws/headers?cookie=set%3D3%3B%20Path%3D%2F');
  told(null);
  const kept = http.cookieJar().cookiesForURL(`${__ENV.BASE}/`);
  console.log(JSON.stringify(kept, Object.keys(kept).sort()));
}
