import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => { socket.close(1000); socket.close(4000); });
    socket.on('close', (c) => console.log('close', c));
  });
}
