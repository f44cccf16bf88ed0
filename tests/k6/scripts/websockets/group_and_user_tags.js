import { WebSocket } from 'k6/websockets';
import { group } from 'k6';
import exec from 'k6/execution';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { 'ws_sessions{group:::g}': ['count==1'], 'ws_msgs_sent{group:::g}': ['count==2'], 'ws_sessions{mine:yes}': ['count==1'] } };
export default function () {
  exec.vu.tags.mine = 'yes';
  group('g', () => {
    const ws = new WebSocket(`${W}/ws/echo`);
    ws.onopen = () => ws.send('x');
    ws.onmessage = () => ws.close();
  });
  delete exec.vu.tags.mine;
}
