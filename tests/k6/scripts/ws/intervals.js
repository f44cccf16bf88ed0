import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  let ticks = 0;
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.setInterval(() => {
      ticks += 1;
      console.log('tick', ticks);
      if (ticks === 4) socket.close();
    }, 60);
  });
}
