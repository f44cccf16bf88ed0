import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const seen = [];
  ws.connect(`${W}/ws/send/3`, (socket) => {
    socket.on('close', () => seen.push('close a'));
    socket.on('close', () => seen.push('close b'));
    socket.on('message', (m) => { seen.push(m); if (m === 'message 2') socket.close(); });
    socket.on('open', () => seen.push('open a'));
    socket.on('open', () => seen.push('open b'));
    seen.push('setup');
  });
  seen.push('back');
  console.log(seen.join(', '));
}
