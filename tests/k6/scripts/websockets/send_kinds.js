import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.binaryType = 'arraybuffer';
  const things = ['text', new Uint8Array([1, 2]).buffer, new Uint8Array([3]), new Uint16Array([4, 5]), '\u00e9'];
  const bad = [5, 1.5, true, null, undefined, {}, [1], () => 1];
  let at = 0;
  ws.onopen = () => {
    for (const thing of bad) {
      try { ws.send(thing); console.log('sent'); } catch (e) { console.log(`${e}`.slice(0, 60)); }
    }
    ws.send(things[at]);
  };
  ws.onmessage = (e) => {
    console.log(typeof e.data === 'string' ? e.data : new Uint8Array(e.data).join());
    at += 1;
    if (at < things.length) ws.send(things[at]); else ws.close();
  };
}
