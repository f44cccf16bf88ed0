import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    const nothing = () => {};
    const tries = [() => socket.setTimeout(nothing), () => socket.setTimeout(nothing, 0), () => socket.setTimeout(nothing, -5),
      () => socket.setInterval(nothing, 0), () => socket.setInterval(), () => socket.setTimeout(5, 10), () => socket.setTimeout(nothing, '0')];
    for (const attempt of tries) {
      try { console.log('set', attempt()); } catch (e) { console.log(`${e}`); }
    }
    socket.close();
  });
}
