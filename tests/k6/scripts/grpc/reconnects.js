// A client that connects again and again, to one server and another.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export const options = { iterations: 3 };
export default function () {
  connect();
  console.log(client.invoke('hello.HelloService/SayHello', { greeting: 'first' }).message.reply);
  client.connect(SECURE);
  console.log(client.invoke('hello.HelloService/SayHello', { greeting: 'secure' }).message.reply);
  client.close();
  client.close();
  attempt('closed', () => client.invoke('hello.HelloService/SayHello', {}));
  connect({ timeout: '2s' });
  console.log(client.invoke('hello.HelloService/SayHello', { greeting: 'again' }).message.reply);
}
