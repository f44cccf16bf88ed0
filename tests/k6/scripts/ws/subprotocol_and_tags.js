import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { thresholds: {
  'ws_sessions{subproto:chat}': ['count==1'],
  'ws_sessions{status:101}': ['count==2'],
  'ws_sessions{status:404}': ['count==1'],
  'ws_sessions{kind:mine}': ['count==1'],
  'ws_msgs_sent{kind:mine}': ['count==2'],
  'ws_msgs_received{kind:mine}': ['count==2'],
} };
export default function () {
  ws.connect(`${W}/ws/echo?choose=chat`, { headers: { 'Sec-WebSocket-Protocol': 'chat' } }, (socket) => socket.close());
  let seen = 0;
  ws.connect(`${W}/ws/echo`, { tags: { kind: 'mine' } }, (socket) => {
    socket.on('open', () => { socket.send('a'); socket.send('b'); });
    socket.on('message', () => { if (++seen === 2) socket.close(); });
  });
  ws.connect(`${W}/ws/reject/404`, () => {});
}
