import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  const attempt = (what) => { try { ws[what]('x'); console.log(what, 'done'); } catch (e) { console.log(what, `${e}`); } };
  attempt('send'); attempt('ping');
  ws.onopen = () => { ws.close(); attempt('send'); attempt('ping'); ws.close(); };
  ws.onclose = () => { attempt('send'); attempt('ping'); ws.close(); console.log(ws.readyState); };
}
