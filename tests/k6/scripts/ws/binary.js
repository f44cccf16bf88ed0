import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/echo`, (socket) => {
    socket.on('open', () => socket.sendBinary(new Uint8Array([1, 2, 250]).buffer));
    socket.on('message', () => console.log('not text'));
    socket.on('binaryMessage', (m) => {
      console.log(m instanceof ArrayBuffer, m.byteLength, new Uint8Array(m).join());
      socket.close();
    });
  });
}
