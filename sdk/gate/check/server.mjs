// A service behind the middleware, for check.py: GATE, INNER, QUEUE, KEY, PORT from the environment.
import { createServer } from 'node:http';
import { waitingRoom } from '../node/index.mjs';

const { GATE: gate, INNER: inner, QUEUE: queue, KEY: key, PORT: port } = process.env;
const room = waitingRoom({ gate, inner, queue, key, secret: 'a secret of this service, 32 characters', heartbeatMs: 500, open: (path) => path === '/health' });
createServer((request, response) => room(request, response, async () => {
  if (request.url === '/leave') await room.leave(request, response);
  response.writeHead(200, { 'Content-Type': 'text/plain' }).end(`inside ${request.waitingRoom?.wid ?? ''}\n`);
})).listen(Number(port), '127.0.0.1');
