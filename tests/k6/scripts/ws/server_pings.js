import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const told = [];
  ws.connect(`${W}/ws/ping/2?tell=1`, (socket) => {
    socket.on('ping', (x) => told.push(`ping ${x}`));
    socket.on('message', (m) => { told.push(m); if (m === 'pong p1') socket.close(); });
  });
  console.log(told.filter((t) => t.startsWith('pong')).join(), told.filter((t) => t.startsWith('ping')).join());
}
