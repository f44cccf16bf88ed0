import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/close-bare`, (socket) => {
    socket.on('error', (e) => console.log('error', e.error(), e.code, `${e}`, JSON.stringify(e)));
    socket.on('error', (e) => console.log(e));
    socket.on('close', (c) => console.log('close', c));
  });
}
