import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  for (const code of [1000, 1001, 1002, 1003, 1008, 1011, 1013, 3000, 4321]) {
    const seen = [];
    const res = ws.connect(`${W}/ws/close/${code}?reason=because`, (socket) => {
      socket.on('error', (e) => seen.push(`error ${e.error()}`));
      socket.on('close', (c) => seen.push(`close ${c}`));
    });
    console.log(code, seen.join(', '), res.status);
  }
}
