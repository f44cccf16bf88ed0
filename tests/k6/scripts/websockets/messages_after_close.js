import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/send/3`);
  const seen = [];
  ws.onmessage = (e) => { seen.push(e.data); ws.close(); };
  ws.onclose = () => console.log(seen.join());
}
