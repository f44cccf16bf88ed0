// @exit 99
import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { ws_sessions: ['count>5'], ws_msgs_received: ['count<2'], ws_connecting: ['max>=0'] } };
export default function () {
  ws.connect(`${W}/ws/send/3`, (socket) => socket.on('message', (m) => { if (m === 'message 2') socket.close(); }));
}
