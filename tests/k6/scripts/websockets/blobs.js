import { WebSocket } from 'k6/websockets';
import { Blob } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default async function () {
  const blob = new Blob(['P', new Uint8Array([65]).buffer, new Blob(['SS']), new Uint16Array([0x2121])], { type: 'text/x' });
  console.log(blob.size, blob.type, await blob.text(), `${blob}`);
  console.log(new Uint8Array(await blob.arrayBuffer()).join(), (await blob.bytes()).join());
  const part = blob.slice(1, 3, 'y');
  console.log(part.size, part.type, await part.text(), await blob.slice(2).text(), await blob.slice(0, -2).text());
  console.log(new Blob().size, new Blob([]).type === '');
  for (const attempt of [() => new Blob(['a'], 5), () => new Blob([5]), () => new Blob([null])]) {
    try { attempt(); console.log('made'); } catch (e) { console.log(e.name); }
  }
  const ws = new WebSocket(`${W}/ws/send/1?binary=1`);
  ws.onmessage = async (e) => {
    console.log(typeof e.data, e.data.size, e.data.type === '', Object.keys(e.data).filter((k) => k !== 'stream').join());
    console.log(await e.data.text());
    ws.close();
  };
}
