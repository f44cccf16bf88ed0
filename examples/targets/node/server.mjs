// A target with switchable faults on Node, without any package:
//
//   node examples/targets/node/server.mjs 8090
//   loadline run http://127.0.0.1:8090/blocking --vus 20 --duration 20s --observe port:8090
//   loadline explain
//
// /fast answers at once, /outside waits 200 ms without blocking, /blocking sleeps 40 ms and /computing computes 40 ms on
// the event loop, which can do nothing else meanwhile.
import { createServer } from 'node:http';

const port = Number(process.argv[2] || 8090);
const idle = new Int32Array(new SharedArrayBuffer(4));

const answers = {
  '/fast': async () => {},
  '/outside': () => new Promise((done) => setTimeout(done, 200)),
  '/blocking': async () => Atomics.wait(idle, 0, 0, 40),
  '/computing': async () => {
    const until = performance.now() + 40;
    while (performance.now() < until);
  },
};

createServer(async (request, response) => {
  const answer = answers[request.url];
  if (!answer) {
    response.writeHead(404).end();
    return;
  }
  await answer();
  response.end('ok\n');
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
