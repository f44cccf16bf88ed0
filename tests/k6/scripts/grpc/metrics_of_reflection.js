import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
export default function () {
  other.connect(PLAIN, { plaintext: true, reflect: true });
  other.invoke('hello.HelloService/SayHello', {});
}
