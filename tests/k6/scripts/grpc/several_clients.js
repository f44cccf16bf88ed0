import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const other = new grpc.Client();
other.load(['proto'], 'hello.proto');
export default function () {
  connect();
  other.connect(PLAIN, { plaintext: true });
  console.log(show(client.invoke('hello.HelloService/SayHello', { greeting: 'one' }).message), show(other.invoke('hello.HelloService/SayHello', { greeting: 'two' }).message));
  client.close();
  console.log(show(other.invoke('hello.HelloService/SayHello', { greeting: 'three' }).message));
  attempt('closed', () => client.invoke('hello.HelloService/SayHello', {}));
}
