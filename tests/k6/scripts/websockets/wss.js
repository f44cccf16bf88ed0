import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { insecureSkipTLSVerify: true };
export default function () {
  const ws = new WebSocket(`${__ENV.TLS_BASE.replace('http', 'ws')}/ws/echo`);
  ws.onopen = () => ws.send('over tls');
  ws.onmessage = (e) => { console.log(e.data); ws.close(); };
  ws.onerror = (e) => console.log(e.error);
}
