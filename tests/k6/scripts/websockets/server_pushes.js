import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/send/5?gap=20&then=1000`);
  const seen = [];
  ws.onmessage = (e) => seen.push(e.data);
  ws.onclose = (e) => console.log(seen.join(), e.code);
}
