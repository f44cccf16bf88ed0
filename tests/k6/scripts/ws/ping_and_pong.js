import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: { ws_ping: ['max>=0', 'max<5000'] } };
export default function () {
  let pongs = 0;
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => { socket.ping(); socket.ping(); socket.ping(); });
    socket.on('pong', (x) => {
      pongs += 1;
      console.log('pong', pongs, x);
      if (pongs === 3) socket.close();
    });
  });
}
