import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  for (const service of [undefined, null, '', 'hello.HelloService', 'down', 'unsaid', 'nobody-knows', 'no-such']) {
    attempt(String(service), () => client.healthCheck(service));
  }
  const state = client.healthCheck();
  console.log(state.status === grpc.HealthCheckServing, state.status == 1, Object.keys(state).join());
}
