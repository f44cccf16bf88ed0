import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    const tries = [() => socket.sendBinary(), () => socket.sendBinary(null), () => socket.sendBinary(undefined),
      () => socket.sendBinary('text'), () => socket.sendBinary(7), () => socket.sendBinary({}), () => socket.sendBinary(new Uint8Array(2))];
    for (const attempt of tries) {
      try { attempt(); console.log('sent'); } catch (e) { console.log(`${e}`); }
    }
    socket.close();
  });
}
