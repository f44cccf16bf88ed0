import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { ws_sessions: ['count==1'], ws_msgs_sent: ['count==4'], ws_msgs_received: ['count==2'], ws_session_duration: ['min>=100'], 'ws_connecting': ['max>=0'], 'ws_sessions{status:101}': ['count==1'] } };
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  let seen = 0;
  ws.onopen = () => { ws.send('a'); ws.send('b'); ws.ping(); };
  ws.onmessage = () => { if (++seen === 2) setTimeout(() => ws.close(), 150); };
}
