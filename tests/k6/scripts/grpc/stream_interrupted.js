import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export const options = { scenarios: { one: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '1s', gracefulStop: '200ms' } } };
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
  stream.on('data', (data) => console.log(data.text));
  stream.on('error', () => {});
  stream.write({ text: 'waiting' });
}
