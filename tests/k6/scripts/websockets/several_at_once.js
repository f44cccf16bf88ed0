import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  let open = 0;
  const seen = [];
  const sockets = [0, 1, 2, 3].map((n) => {
    const ws = new WebSocket(`${W}/ws/echo`);
    ws.onopen = () => { open += 1; if (open === 4) sockets.forEach((s, i) => s.send(`to ${i}`)); };
    ws.onmessage = (e) => { seen.push(`${n} ${e.data}`); if (seen.length === 4) { console.log(seen.sort().join()); sockets.forEach((s) => s.close()); } };
    return ws;
  });
}
