import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const began = Date.now();
  console.log(show(client.invoke('echo.v1.Echo/Unary', { delayMs: 2000 }, { timeout: '100ms' })));
  console.log(show(client.invoke('echo.v1.Faults/Unanswered', {}, { timeout: 100 }).error));
  console.log(Date.now() - began < 1500);
  console.log(show(client.invoke('echo.v1.Echo/Unary', { text: 'after', delayMs: 50 }, { timeout: 5000 }).message));
}
