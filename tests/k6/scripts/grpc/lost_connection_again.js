// A connection that the server gives up is made again by the next call.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  for (let n = 0; n < 2; n++) {
    console.log(show(client.invoke('echo.v1.Faults/GoAway', { text: `away${n}` }).message));
    console.log(client.invoke('hello.HelloService/SayHello', { greeting: `back${n}` }).message.reply);
  }
}
