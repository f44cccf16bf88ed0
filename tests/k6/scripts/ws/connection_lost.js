import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/drop?after=50`, (socket) => {
    socket.on('open', () => console.log('open'));
    socket.on('error', (e) => console.log('error', e.error()));
    socket.on('close', (c) => console.log('close', c));
  });
  console.log('back');
}
