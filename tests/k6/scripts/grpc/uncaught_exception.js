import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  client.invoke('hello.HelloService/SayHello', { greeting: 5 });
}
