import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.onopen = () => {
    ws.send('abc'); ws.send('\u00e9\u00e9'); ws.send(new Uint8Array(5));
    console.log(ws.bufferedAmount);
  };
  let seen = 0;
  ws.onmessage = () => { if (++seen === 3) { setTimeout(() => { console.log(ws.bufferedAmount); ws.close(); }, 50); } };
}
