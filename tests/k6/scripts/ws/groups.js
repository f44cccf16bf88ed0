import ws from 'k6/ws';
import { group } from 'k6';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { 'ws_sessions{group:::outer::inner}': ['count==1'], 'ws_msgs_sent{group:::outer::inner}': ['count==1'] } };
export default function () {
  group('outer', () => group('inner', () => {
    ws.connect(`${W}/ws/echo`, (socket) => {
      socket.on('open', () => socket.send('x'));
      socket.on('message', () => socket.close());
    });
  }));
}
