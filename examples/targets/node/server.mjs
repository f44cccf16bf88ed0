// A target with switchable faults on Node, without any package:
//
//   node examples/targets/node/server.mjs 8090
//   loadline run http://127.0.0.1:8090/blocking --vus 20 --duration 20s --observe port:8090
//   loadline explain
//
// /fast answers at once, /outside waits 200 ms without blocking, /blocking sleeps 40 ms and /computing computes 40 ms on
// the event loop, which can do nothing else meanwhile.
//
// [한국어] Node로 만든, 결함을 고를 수 있는 대상 서버. 패키지가 필요 없습니다.
//
//   node examples/targets/node/server.mjs 8090
//   loadline run http://127.0.0.1:8090/blocking --vus 20 --duration 20s --observe port:8090
//   loadline explain
//
// /fast는 바로 응답하고, /outside는 막지 않고 200 ms를 기다립니다. /blocking은 이벤트 루프에서 40 ms 동안 잠들고
// /computing은 이벤트 루프에서 40 ms 동안 계산합니다. 그동안 이벤트 루프는 다른 일을 하지 못합니다.
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
