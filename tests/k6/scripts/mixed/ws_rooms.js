// Two sockets talk with a server that echoes, with timers and pings.
import ws from 'k6/ws';
import { check } from 'k6';
import { Counter } from 'k6/metrics';
const heard = new Counter('heard');
export default function () {
  const url = `${__ENV.BASE.replace('http', 'ws')}/ws/echo`;
  const lines = [];
  const res = ws.connect(url, { headers: { 'X-Room': 'a' }, tags: { room: 'a' } }, (socket) => {
    socket.on('open', () => { socket.send('hello'); socket.sendBinary(new Uint8Array([1, 2, 3]).buffer); socket.ping(); });
    socket.on('message', (m) => { heard.add(1); lines.push(m); if (m === 'hello') socket.send(JSON.stringify({ type: 'bye' })); });
    socket.on('binaryMessage', (b) => { heard.add(1); lines.push(new Uint8Array(b).join('.')); });
    socket.on('pong', () => lines.push('pong'));
    socket.on('close', (code) => lines.push(`closed ${code}`));
    socket.on('error', (e) => lines.push(e.error()));
    socket.setTimeout(() => socket.close(1000), 300);
  });
  check(res, { '101': (r) => r.status === 101, upgraded: (r) => r.headers.Upgrade === 'websocket' });
  console.log(lines.sort().join(' | '), res.url.startsWith('ws://'));
}
