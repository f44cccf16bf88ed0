import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default async function () {
  attempt('invoke', () => client.invoke('hello.HelloService/SayHello', {}));
  attempt('stream', () => new grpc.Stream(client, 'hello.HelloService/BidiHello'));
  try { await client.asyncInvoke('hello.HelloService/SayHello', {}); } catch (error) { console.log(String(error), typeof error, error.message); }
  connect();
  client.close();
  attempt('after close', () => client.invoke('hello.HelloService/SayHello', {}));
  attempt('close again', () => client.close());
}
