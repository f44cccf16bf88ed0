import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  for (const args of [[], [1000], [1001], [3001], [4999], ['1000'], [undefined], [1000, 'ignored']]) {
    ws.connect(`${W}/ws/echo`, (socket) => {
      socket.on('open', () => socket.close(...args));
      socket.on('close', (c) => console.log(JSON.stringify(args), 'close', c));
      socket.on('error', (e) => console.log('error', e.error()));
    });
  }
}
