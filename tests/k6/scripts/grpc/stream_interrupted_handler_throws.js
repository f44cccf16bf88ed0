// A handler of the end that throws in an iteration that is cut.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export const options = { scenarios: { one: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '1s', gracefulStop: '200ms' } } };
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
  stream.on('data', (data) => console.log('data', data.text));
  stream.on('error', (error) => console.log('error', text(error)));
  stream.on('end', () => { console.log('end'); throw new Error('in the handler'); });
  stream.write({ text: 'waiting' });
}
