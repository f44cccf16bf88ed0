import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { ws_ping: ['max>=0'] } };
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  let pongs = 0;
  ws.onopen = () => { ws.ping(); ws.ping(); ws.send('ping me'); };
  ws.onpong = (e) => { pongs += 1; console.log('pong', e.type, Object.keys(e).join()); };
  ws.addEventListener('ping', (e) => { console.log('ping', e.type); setTimeout(() => { console.log(pongs); ws.close(); }, 100); });
}
