// Which time-outs are told to the server, and which pass before it answers.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  for (const timeout of ['50ms', 60, '0.08s', '1ns', '10s', '0', 0]) {
    const reply = client.invoke('echo.v1.Echo/Unary', { text: 'x', delayMs: 400 }, { timeout });
    console.log(timeout, reply.status === grpc.StatusOK, reply.status === grpc.StatusDeadlineExceeded, show(reply.error));
  }
}
