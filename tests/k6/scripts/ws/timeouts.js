import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.setTimeout(() => console.log('second'), 200);
    console.log('returns', socket.setTimeout(() => console.log('first'), 50));
    socket.on('open', () => socket.setTimeout(() => { console.log('third'); socket.close(); }, 350));
    socket.setTimeout(() => console.log('never'), 5000);
  });
  console.log('back');
}
