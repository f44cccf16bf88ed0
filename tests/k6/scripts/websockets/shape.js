import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  console.log(Object.keys(ws).join());
  console.log(ws.protocol === '', JSON.stringify(ws.extensions), ws.bufferedAmount, ws.binaryType, typeof WebSocket.OPEN);
  for (const name of ['readyState', 'url', 'protocol', 'bufferedAmount']) {
    try { ws[name] = 'x'; console.log(name, 'set'); } catch (e) { console.log(name, e.name); }
  }
  ws.onopen = (e) => { console.log(Object.keys(e).join(), typeof e.timestamp); ws.close(); };
  ws.onclose = (e) => console.log(Object.keys(e).join());
}
