import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const seen = [];
  const res = ws.connect(`${W}/ws/echo`, { compression: 'deflate' }, (socket) => {
    socket.on('open', () => { socket.send('squeeze '.repeat(2000)); socket.sendBinary(new Uint8Array(5000).buffer); socket.send(''); });
    socket.on('message', (m) => { seen.push(m.length); if (m === '') socket.close(); });
    socket.on('binaryMessage', (m) => seen.push(m.byteLength));
  });
  console.log(seen.join(), res.headers['Sec-Websocket-Extensions']);
  const plain = ws.connect(`${W}/ws/echo?plain=1`, { compression: ' deflate ' }, (socket) => socket.close());
  console.log(plain.status, plain.headers['Sec-Websocket-Extensions']);
  const odd = ws.connect(`${W}/ws/echo?extension=permessage-deflate`, { compression: 'deflate' }, () => {});
  console.log(odd.status, odd.error);
}
