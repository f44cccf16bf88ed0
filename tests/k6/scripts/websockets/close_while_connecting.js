import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/slow-open/100`);
  ws.onopen = () => console.log('open');
  ws.onerror = (e) => console.log('error', e.error);
  ws.onclose = (e) => console.log('close', e.code, ws.readyState);
  setTimeout(() => { console.log('timer', ws.readyState); ws.close(3333); console.log(ws.readyState); }, 20);
}
