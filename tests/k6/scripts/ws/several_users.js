import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 5, iterations: 2 } },
  thresholds: { ws_sessions: ['count==10'], ws_msgs_sent: ['count==30'], ws_msgs_received: ['count==30'] } };
export default function () {
  let seen = 0;
  const mine = [];
  ws.connect(`${W}/ws/echo?delay=20`, (socket) => {
    socket.on('open', () => { for (let i = 0; i < 3; i++) socket.send(`${__VU} ${i}`); });
    socket.on('message', (m) => { mine.push(m); if (++seen === 3) socket.close(); });
  });
  if (mine.join() !== `${__VU} 0,${__VU} 1,${__VU} 2`) console.log('mixed up', mine.join());
}
