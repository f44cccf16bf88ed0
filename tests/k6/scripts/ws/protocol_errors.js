import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  for (const what of ['reserved', 'masked', 'lost-fragment', 'close-bad']) {
    const seen = [];
    ws.connect(`${W}/ws/${what}`, (socket) => {
      socket.on('message', (m) => seen.push(`message ${m}`));
      socket.on('error', (e) => seen.push(`error ${e.error()}`));
      socket.on('close', (c) => seen.push(`close ${c}`));
    });
    console.log(what, seen.join(', '));
  }
}
