import ws from 'k6/ws';
import { check } from 'k6';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const res = ws.connect(`${W}/ws/echo`, null, (socket) => {
    socket.on('open', () => { console.log('open'); socket.send('one'); });
    socket.on('message', (m) => {
      console.log('message', m, typeof m);
      if (m === 'one') socket.send('two'); else socket.close();
    });
    socket.on('close', (code) => console.log('close', code));
    console.log('set up');
  });
  console.log('back', res.status, res.error === '', res.body === '', res.url === `${W}/ws/echo`);
  check(res, { 'switched': (r) => r && r.status === 101 });
}
