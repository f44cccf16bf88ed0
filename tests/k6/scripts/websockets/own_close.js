import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
const all = [[], [1000], [3000], [4999, 'done'], [0]];
function next() {
  const args = all.shift();
  if (!args) return;
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.onopen = () => ws.close(...args);
  ws.onerror = (e) => console.log(JSON.stringify(args), e.error);
  ws.onclose = (e) => { console.log(JSON.stringify(args), e.code, e.reason, e.wasClean); next(); };
}
export default function () { next(); }
