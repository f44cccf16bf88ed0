import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('error', (e) => console.log('error', e.error()));
    socket.on('open', () => { socket.close(); socket.send('late'); socket.ping(); });
    socket.on('close', (c) => console.log('close', c));
  });
}
