import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export default function () {
  attempt('refused', () => client.connect('127.0.0.1:1', { plaintext: true, timeout: '2s' }));
  attempt('no port', () => client.connect('127.0.0.1', { plaintext: true }));
  attempt('empty', () => client.connect('', { plaintext: true }));
  attempt('nothing', () => client.connect());
  attempt('too late', () => client.connect(PLAIN, { plaintext: true, timeout: 0 }));
  attempt('still none', () => client.invoke('hello.HelloService/SayHello', {}));
}
