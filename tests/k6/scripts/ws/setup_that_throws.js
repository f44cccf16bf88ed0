import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  try {
    ws.connect(`${W}/ws/echo`, (socket) => {
      socket.on('close', (c) => console.log('close', c));
      throw new TypeError('in setup');
    });
  } catch (e) { console.log('caught', e.name, e.message); }
}
