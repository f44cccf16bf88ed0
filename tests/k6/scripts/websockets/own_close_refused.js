import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const ws = new WebSocket(`${W}/ws/echo`);
  ws.onopen = () => {
    for (const args of [[1], [999], [1001], [1005], [2999], [5000], [-1], ['x'], [1000, 'x'.repeat(124)], [1000, '\u00e9'.repeat(62)]]) {
      try { ws.close(...args); console.log('closing'); } catch (e) { console.log(`${e}`); }
      if (ws.readyState !== 1) break;
    }
    ws.close(1000, 'x'.repeat(123));
  };
  ws.onclose = (e) => console.log(e.code);
}
