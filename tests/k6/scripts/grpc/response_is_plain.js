import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const { message } = client.invoke('echo.v1.Echo/Nested', { numbers: [3, 1, 2], counts: { a: 1 } });
  console.log(Array.isArray(message.numbers), message.numbers.map(Number).sort().join(), typeof message.numbers[0], 'one' in message, message.one, message.nosuch);
  message.extra = 'added';
  console.log(message.extra, Object.keys(message.counts).join(), JSON.stringify(message.counts), { ...message }.extra);
}
