import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { userAgent: 'mine/1' };
export default function () {
  const told = (params) => ws.connect(`${W}/ws/headers`, params, (socket) => {
    socket.on('message', (m) => { console.log(m); socket.close(); });
  });
  told(null);
  told({ headers: { 'X-Own': 'a', Origin: 'http://o.test', Authorization: 'Bearer t', 'User-Agent': 'theirs' } });
  told({ headers: { 'x-own': 5 }, unknown: 1 });
  told({ headers: { 'Sec-WebSocket-Protocol': 'p1, p2' } });
}
