import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  try {
    ws.connect(`${W}/ws/greet`, (socket) => {
      socket.on('message', () => { throw new Error('in a handler'); });
      socket.on('close', (c) => console.log('close', c));
    });
  } catch (e) { console.log('caught', e.message); }
}
