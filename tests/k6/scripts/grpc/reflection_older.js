import grpc from 'k6/net/grpc';
import { show, SECURE } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
export default function () {
  console.log(other.connect(SECURE, { reflect: true }));
  console.log(show(other.invoke('hello.HelloService/SayHello', { greeting: 'older' }).message));
}
