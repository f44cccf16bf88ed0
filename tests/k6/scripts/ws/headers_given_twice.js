import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  for (const name of ['Upgrade', 'connection', 'Sec-WebSocket-Key', 'sec-websocket-version', 'Sec-WebSocket-Extensions']) {
    console.log(ws.connect(`${W}/ws/headers`, { headers: { [name]: 'x' } }, () => {}).error);
  }
}
