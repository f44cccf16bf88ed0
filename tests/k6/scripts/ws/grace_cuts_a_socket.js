import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { scenarios: { s: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '500ms' } },
  thresholds: { ws_sessions: ['count==2'] } };
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => console.log('open'));
    socket.on('close', () => console.log('not told'));
  });
}
