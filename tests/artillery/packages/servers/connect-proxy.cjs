// A proxy that takes every CONNECT to a WebSocket server of its own, which echoes.
const http = require('node:http');
const net = require('node:net');
const { WebSocketServer } = require('ws');

const echo = new WebSocketServer({ host: '127.0.0.1', port: 0 });
echo.on('connection', (socket) => socket.on('message', (data) => socket.send(data.toString())));
echo.on('listening', () => {
  const proxy = http.createServer();
  proxy.on('connect', (request, client, head) => {
    const server = net.connect(echo.address().port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.write(head);
      server.pipe(client);
      client.pipe(server);
    });
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
  });
  proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port));
});
