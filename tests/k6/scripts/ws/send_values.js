import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const values = ['text', '', 5, true, null, undefined, { a: 1 }, [1, 2], '\u00e9\u{1f600}'];
  let at = 0;
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => socket.send(values[at]));
    socket.on('message', (m) => {
      console.log(JSON.stringify(m), m.length);
      at += 1;
      if (at < values.length) socket.send(values[at]); else socket.close();
    });
  });
}
