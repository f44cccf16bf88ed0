import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  console.log(ws.readyState, ws.url === `${W}/ws/echo`);
  ws.onopen = () => { console.log('open', ws.readyState); ws.send('hello'); };
  ws.onmessage = (e) => { console.log('message', e.data, e.type, e.target === ws, e.origin === ws.url); ws.close(); console.log(ws.readyState); };
  ws.onclose = (e) => console.log('close', e.code, JSON.stringify(e.reason), ws.readyState);
  console.log('returned');
}
