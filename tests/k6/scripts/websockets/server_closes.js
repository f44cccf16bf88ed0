import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
const codes = [1000, 1001, 1002, 1008, 1011, 3000, 4000];
function next() {
  const code = codes.shift();
  if (!code) return;
  const ws = new WebSocket(`${W}/ws/close/${code}?reason=because`);
  ws.onerror = (e) => console.log(code, 'error', e.error);
  ws.onclose = (e) => { console.log(code, 'close', e.code, e.reason); next(); };
}
export default next;
