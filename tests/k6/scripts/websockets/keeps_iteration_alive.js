import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { iterations: 2, thresholds: { iteration_duration: ['min>=300'] } };
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.onopen = () => { console.log('open', __ITER); setTimeout(() => ws.close(), 300); };
  ws.onclose = () => console.log('close', __ITER);
  console.log('end of function', __ITER);
}
