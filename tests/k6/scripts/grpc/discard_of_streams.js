// Messages that are discarded are told as empty ones.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream', { discardResponseMessage: true });
  let count = 0;
  stream.on('data', (data) => {
    count += 1;
    console.log(show(data));
  });
  stream.on('end', () => console.log('end', count));
  stream.write({ count: 3, size: 10 });
  stream.end();
}
