import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  attempt('slash', () => client.invoke('/hello.HelloService/SayHello', { greeting: 'a' }).message);
  attempt('none', () => client.invoke('hello.HelloService/SayHello', { greeting: 'b' }).message);
  attempt('unknown', () => client.invoke('hello.HelloService/Nope', {}));
  attempt('empty', () => client.invoke('', {}));
  attempt('undefined', () => client.invoke(undefined, {}));
  attempt('streaming', () => client.invoke('echo.v1.Echo/ServerStream', { count: 1, text: 's' }).message);
}
