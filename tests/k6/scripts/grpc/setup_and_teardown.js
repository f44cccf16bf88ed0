import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export function setup() {
  connect();
  const reply = client.invoke('hello.HelloService/SayHello', { greeting: 'set-up' }).message.reply;
  client.close();
  return reply;
}
export default function (reply) {
  connect();
  console.log(reply, client.invoke('hello.HelloService/SayHello', { greeting: 'iteration' }).message.reply);
}
export function teardown(reply) {
  connect();
  console.log(reply, client.invoke('hello.HelloService/SayHello', { greeting: 'teardown' }).message.reply);
}
