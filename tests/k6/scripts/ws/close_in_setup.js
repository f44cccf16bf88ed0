import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const res = ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => console.log('open'));
    socket.on('close', (c) => console.log('close', c));
    socket.close(1000);
    console.log('set up');
  });
  console.log(res.status);
}
