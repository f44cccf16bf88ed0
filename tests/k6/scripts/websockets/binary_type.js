import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/send/2?binary=1&gap=50`);
  for (const kind of ['nodebuffer', '', 'arraybuffer']) {
    try { ws.binaryType = kind; console.log(ws.binaryType); } catch (e) { console.log(`${e}`); }
  }
  let seen = 0;
  ws.onmessage = (e) => {
    console.log(e.data instanceof ArrayBuffer, e.data.byteLength || e.data.size);
    ws.binaryType = 'blob';
    if (++seen === 2) ws.close();
  };
}
