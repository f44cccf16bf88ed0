import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const res = ws.connect(`${W}/ws/bad-accept`, () => console.log('never'));
  console.log(res.status, JSON.stringify(res.error), res.headers['Sec-Websocket-Accept']);
}
