import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const sizes = [125, 126, 65535, 65536, 300000];
  let at = 0;
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => socket.send('x'.repeat(sizes[at])));
    socket.on('message', (m) => {
      console.log(m.length, m === 'x'.repeat(sizes[at]));
      at += 1;
      if (at < sizes.length) socket.send('x'.repeat(sizes[at])); else socket.close();
    });
  });
}
