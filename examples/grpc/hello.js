// gRPC: a call that waits and a stream, with thresholds by method and status.
//
//   loadline run -e GRPC_ADDR=127.0.0.1:50051 examples/grpc/hello.js
//
// Any server of hello.HelloService will do (proto/hello.proto). With `-e REFLECT=1` the
// server is asked for its methods instead.
//
// [한국어] gRPC: 응답을 기다리는 호출 하나와 스트림 하나. 임계값은 메서드와 상태별로 둡니다.
//
//   loadline run -e GRPC_ADDR=127.0.0.1:50051 examples/grpc/hello.js
//
// hello.HelloService를 제공하는 서버면 됩니다(proto/hello.proto). `-e REFLECT=1`을 주면 메서드 목록을 서버에
// 물어봅니다.
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
