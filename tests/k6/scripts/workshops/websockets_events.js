// The new WebSocket: states, events, binary kinds, a wrong URL, close codes, and work after it.
import { WebSocket } from 'k6/websockets';
import { Counter } from 'k6/metrics';
const got = new Counter('got');
const base = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { got: ['count==3'] } };
export default function () {
  const seen = [];
  const socket = new WebSocket(`${base}/ws/echo`, null, { tags: { k: 'v' }, headers: { 'X-One': '1' } });
  socket.binaryType = 'arraybuffer';
  seen.push(socket.readyState, socket.url.replace(base, ''), socket.protocol === '', socket.extensions === '');
  socket.onopen = () => { seen.push(`open ${socket.readyState}`); socket.send('one'); socket.send(new Uint8Array([1, 2])); socket.send(new Float32Array([1]).buffer); };
  socket.addEventListener('message', (e) => { got.add(1); seen.push(typeof e.data === 'string' ? e.data : new Uint8Array(e.data).join('.'), e.type); if (seen.filter((s) => s === 'message').length === 3) socket.close(3001, 'done'); });
  socket.onclose = (e) => { seen.push(`close ${e.code} ${e.reason} ${socket.readyState}`); console.log(seen.join('|')); after(); };
  socket.onerror = (e) => seen.push(`error ${e.error}`);
  for (const f of [() => new WebSocket('nope'), () => new WebSocket(), () => new WebSocket('http://x/'), () => socket.send('early'), () => socket.close(5)]) { try { f(); console.log('taken'); } catch (e) { console.log(e.name, String(e.message ?? e).slice(0, 100)); } }
}
function after() {
  const refused = new WebSocket(`${base}/ws/reject/403`);
  refused.onerror = (e) => console.log('refused', e.error);
  refused.onclose = () => console.log('refused closed');
}
