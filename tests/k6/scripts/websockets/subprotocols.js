import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
const asked = [['chat', 'chat'], [['a', 'b'], 'b'], [undefined, ''], [[], '']];
function next() {
  const [offered, chosen] = asked.shift() || [];
  if (chosen === undefined) return;
  const ws = new WebSocket(`${W}/ws/headers${chosen ? `?choose=${chosen}` : ''}`, offered);
  ws.onmessage = (e) => { console.log(JSON.stringify(offered), JSON.parse(e.data).protocol, ws.protocol); ws.close(); };
  ws.onclose = next;
}
export default function () { next(); }
