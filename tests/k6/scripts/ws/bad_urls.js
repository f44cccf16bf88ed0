import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  for (const url of ['http://127.0.0.1:1/', 'nothing', '', 'ws://user:pw@127.0.0.1:1/', '::']) {
    console.log(url, JSON.stringify(ws.connect(url, () => {})));
  }
}
