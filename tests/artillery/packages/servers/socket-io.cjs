// A Socket.IO server: says its port, then answers what the cases ask.
const { createServer } = require('node:http');
const { Server } = require('socket.io');

const http = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ url: request.url, code: 'over-http' }));
});
const io = new Server(http, { pingInterval: Number(process.env.PING_INTERVAL ?? 25000) });

function serve(socket) {
  const { query, headers } = socket.handshake;
  socket.emit('welcome', { query: query.who ?? null });
  socket.on('echo', (...args) => {
    const back = args.at(-1);
    if (typeof back === 'function') {
      back(...args.slice(0, -1));
    } else {
      socket.emit('echoed', ...args);
    }
  });
  socket.on('who', (_, back) => back({ who: query.who ?? null, header: headers['x-extra'] ?? null, space: socket.nsp.name }));
  socket.on('twice', (text) => {
    socket.emit('part', `${text}-1`);
    setTimeout(() => socket.emit('part', `${text}-2`), 50);
  });
  socket.on('bytes', (_, back) => back(Buffer.from('ab'), { inner: Buffer.from('c') }));
  socket.on('count', (items, back) => back(items.length));
  socket.on('leave', () => socket.disconnect());
  socket.on('drop', () => socket.conn.close());
}
io.on('connection', serve);
io.of('/rooms').on('connection', serve);
io.of('/closed').use((socket, next) => next(new Error('not for you')));

http.listen(0, '127.0.0.1', () => console.log(http.address().port));
