// Reflection on every connect, with what was loaded before, and of a client that loaded nothing.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const bare = new grpc.Client();
export default function () {
  for (let n = 0; n < 2; n++) {
    bare.connect(PLAIN, { plaintext: true, reflect: true });
    attempt('hello', () => bare.invoke('hello.HelloService/SayHello', { greeting: `n${n}` }).message);
    attempt('known', () => bare.invoke('echo.v1.Echo/Known', { lasts: '1s', any: { '@type': 'x/kinds.Scalars', anInt32: 1 } }).message.any);
    bare.close();
  }
  connect({ reflect: true });
  attempt('both', () => client.invoke('echo.v1.Echo/Nested', { word: 'w' }).message.word);
  attempt('closed', () => bare.invoke('hello.HelloService/SayHello', {}));
}
