import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.onopen = () => { throw new Error('at once'); };
  ws.onclose = () => console.log('close');
}
