import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { scenarios: { s: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '500ms' } },
  thresholds: { ws_sessions: ['count==2'] } };
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.onopen = () => console.log('open');
}
