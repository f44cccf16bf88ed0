import grpc from 'k6/net/grpc';
import { show, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const cert = open('client.pem');
const key = open('client.key');
export default function () {
  console.log(client.connect(MUTUAL, { tls: { cert, key } }));
  console.log(show(client.invoke('hello.HelloService/SayHello', { greeting: 'mutual' }).message));
}
