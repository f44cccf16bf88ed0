import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default async function () {
  connect();
  for (const args of [['nope', {}], ['', {}], ['hello.HelloService/SayHello', { nope: 1 }], ['hello.HelloService/SayHello', {}, { nope: 1 }], ['hello.HelloService/SayHello']]) {
    try {
      await client.asyncInvoke(...args);
      console.log('went well');
    } catch (error) {
      console.log(typeof error, String(error).replace(/\u00a0/g, ' '), error.message, error.name, JSON.stringify(error), error instanceof Error);
    }
  }
}
