import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
export default function () {
  console.log(other.connect(PLAIN, { plaintext: true, reflect: true }));
  console.log(show(other.invoke('hello.HelloService/SayHello', { greeting: 'reflected' }).message));
  console.log(show(other.invoke('echo.v1.Echo/Known', { text: 'wrapped' }).message.text));
}
