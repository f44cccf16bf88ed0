// Arrays of numbers wait to be sent as texts do.
import { WebSocket } from 'k6/websockets';

export default function () {
  const socket = new WebSocket(`${__ENV.BASE.replace('http', 'ws')}/ws/echo`);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    const before = socket.bufferedAmount;
    socket.send(new Uint8Array([1, 2, 3]));
    const bytes = socket.bufferedAmount;
    socket.send(new Uint16Array([1, 2]));
    const words = socket.bufferedAmount;
    socket.send(new Uint8Array([1, 2, 3]).buffer);
    console.log(before, bytes, words, socket.bufferedAmount);
  };
  let seen = 0;
  socket.onmessage = (event) => {
    seen += 1;
    console.log(event.data.byteLength);
    if (seen === 3) {
      console.log(socket.bufferedAmount);
      socket.close();
    }
  };
}
