import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { iterations: 2 };
export default function () {
  ws.connect(`${W}/ws/greet`, (socket) => {
    socket.on('open', () => { throw new Error('nobody catches this'); });
  });
  console.log('never');
}
