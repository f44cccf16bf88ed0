import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { insecureSkipTLSVerify: true };
export default function () {
  for (const base of [__ENV.TLS_BASE, __ENV.TLS1_BASE]) {
    const res = ws.connect(`${base.replace('http', 'ws')}/ws/echo`, (socket) => {
      socket.on('open', () => socket.send('over tls'));
      socket.on('message', (m) => { console.log(m); socket.close(1000); });
    });
    console.log(res.status);
  }
}
