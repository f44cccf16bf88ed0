import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/send/2`);
  ws.onmessage = (e) => { console.log(e.data); ws.onmessage = null; setTimeout(() => ws.close(), 100); };
  ws.onclose = () => console.log('closed');
  ws.onopen = undefined;
}
