import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect({ authority: 'other.example' });
  console.log(show(client.invoke('echo.v1.Echo/Unary', { text: 'a' }).message));
  console.log(client.connect(SECURE, { authority: 'test.example' }));
  attempt('other name', () => client.connect(SECURE, { authority: 'nobody.example', timeout: '300ms' }));
}
