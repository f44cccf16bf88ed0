// gRPC: a call that waits and a stream, with thresholds by method and status.
//
//   loadline run -e GRPC_ADDR=127.0.0.1:50051 examples/grpc/hello.js
//
// Any server of hello.HelloService will do (proto/hello.proto). With `-e REFLECT=1` the
// server is asked for its methods instead.
import grpc from 'k6/net/grpc';
import { check } from 'k6';

const client = new grpc.Client();
if (!__ENV.REFLECT) client.load(['proto'], 'hello.proto');

export const options = {
  vus: 10,
  duration: '10s',
  thresholds: {
    'grpc_req_duration{method:SayHello}': ['p(95)<200'],
    checks: ['rate==1'],
  },
};

export default function () {
  if (__ITER === 0) {
    client.connect(__ENV.GRPC_ADDR || '127.0.0.1:50051', { plaintext: true, reflect: Boolean(__ENV.REFLECT) });
  }
  const response = client.invoke('hello.HelloService/SayHello', { greeting: `user ${__VU}` });
  check(response, { 'status is OK': (r) => r.status === grpc.StatusOK });

  const stream = new grpc.Stream(client, 'hello.HelloService/BidiHello');
  let replies = 0;
  stream.on('data', () => {
    replies += 1;
    if (replies === 3) stream.end();
  });
  stream.on('end', () => check(replies, { 'three replies': (n) => n === 3 }));
  for (const greeting of ['one', 'two', 'three']) stream.write({ greeting });
}
