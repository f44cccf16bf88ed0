import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const res = ws.connect('ws://127.0.0.1:1/', (socket) => console.log('never'));
  console.log(JSON.stringify(res));
}
