import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
import { address } from './lib/show.js';
export default function () {
  const began = Date.now();
  attempt('http', () => client.connect(address(__ENV.BASE), { plaintext: true, timeout: '300ms' }));
  attempt('tls', () => client.connect(SECURE, { plaintext: true, timeout: '300ms' }));
  attempt('plain', () => client.connect(PLAIN, { timeout: '300ms' }));
  console.log(Date.now() - began > 800, PLAIN !== SECURE);
}
