import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/fragments`, (socket) => {
    socket.on('ping', () => console.log('ping'));
    socket.on('message', (m) => { console.log(m); socket.close(); });
  });
}
