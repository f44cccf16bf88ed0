import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`, null, { compression: 'deflate' });
  ws.onopen = () => { console.log(JSON.stringify(ws.extensions)); ws.send('squeeze '.repeat(1000)); };
  ws.onmessage = (e) => { console.log(e.data.length); ws.close(); };
}
