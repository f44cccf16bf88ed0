import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { iterations: 2 };
export default function () {
  const ws = new WebSocket(`${W}/ws/greet`);
  ws.onmessage = () => { throw new Error('in a handler'); };
  ws.onclose = () => console.log('close');
  ws.onerror = () => console.log('error');
}
