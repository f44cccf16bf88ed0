// The health service called as any other, watched as a stream.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const health = new grpc.Client();
health.load(['proto'], 'health.proto');
export default function () {
  health.connect(PLAIN, { plaintext: true });
  for (const service of ['', 'down', 'unsaid', 'no-such']) {
    const reply = health.invoke('grpc.health.v1.Health/Check', { service });
    console.log(service, show(reply.message), show(reply.error), reply.message && reply.message.status === 'SERVING');
  }
}
