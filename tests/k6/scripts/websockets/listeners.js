import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/greet`);
  ws.addEventListener('message', (e) => console.log('added a', e.data));
  ws.onmessage = (e) => console.log('own', e.data);
  ws.addEventListener('message', (e) => { console.log('added b', e.data); ws.close(); });
  ws.addEventListener('close', () => console.log('closed'));
  ws.addEventListener('nothing', () => {});
  for (const handler of [undefined, null, 5]) {
    try { ws.addEventListener('open', handler); console.log('added'); } catch (e) { console.log(`${e}`); }
  }
  for (const handler of [5, 'x', {}]) {
    try { ws.onopen = handler; console.log('set'); } catch (e) { console.log(`${e}`); }
  }
}
