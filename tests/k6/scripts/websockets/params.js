import { WebSocket } from 'k6/websockets';
import http from 'k6/http';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { 'ws_sessions{kind:mine}': ['count==1'], 'ws_sessions{name:named}': ['count==1'], 'ws_msgs_received{kind:mine}': ['count==1'] } };
export default function () {
  const jar = new http.CookieJar();
  jar.set(`${__ENV.BASE}/`, 'own', '2');
  const ws = new WebSocket(`${W}/ws/headers`, null, { headers: { 'X-Own': 'a' }, jar, tags: { kind: 'mine' } });
  ws.onmessage = (e) => { const h = JSON.parse(e.data); console.log(h['x-own'], h.cookie, h['user-agent']); ws.close(); };
  const named = new WebSocket(`${W}/ws/greet`, null, { tags: { name: 'named' } });
  named.onmessage = () => named.close();
}
