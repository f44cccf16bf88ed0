import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
const kinds = ['drop?after=50', 'close-bare', 'close-bad', 'reserved', 'masked'];
function next() {
  const kind = kinds.shift();
  if (!kind) return;
  const ws = new WebSocket(`${W}/ws/${kind}`);
  ws.onerror = (e) => console.log(kind, 'error', e.error);
  ws.onclose = (e) => { console.log(kind, 'close', e.code, e.reason); next(); };
}
export default function () { next(); }
