import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  try {
    ws.connect(`${W}/ws/echo`, (socket) => {
      socket.on('close', (c) => console.log('close', c));
      socket.setTimeout(() => { throw new Error('in a timer'); }, 50);
    });
  } catch (e) { console.log('caught', e.message); }
}
