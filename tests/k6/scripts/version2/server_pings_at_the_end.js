// @args --vus 1 --iterations 2
// A server that pings while the test ends holds up nothing.
import { WebSocket } from 'k6/websockets';

export function setup() {
  return {};
}

export default function () {
  const ws = new WebSocket(`${__ENV.BASE.replace('http', 'ws')}/ws/echo`);
  let pings = 0;
  ws.onopen = () => ws.send('ping me');
  ws.onping = () => {
    pings += 1;
    if (pings < 3) {
      ws.send('ping me');
    } else {
      ws.close();
    }
  };
}

export function teardown() {
  console.log('torn down');
}
