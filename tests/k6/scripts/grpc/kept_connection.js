import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export const options = { vus: 3, iterations: 9, scenarios: undefined };
export default function () {
  if (__ITER === 0) connect();
  const response = client.invoke('hello.HelloService/SayHello', { greeting: 'again' });
  console.log(response.message.reply);
}
