// Streams over TLS, and both ends closing.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  client.connect(SECURE);
  const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream');
  let count = 0;
  stream.on('data', () => (count += 1));
  stream.on('error', (error) => console.log('error', text(error)));
  stream.on('end', () => {
    console.log('end', count);
    client.close();
    attempt('closed', () => client.invoke('hello.HelloService/SayHello', {}));
  });
  stream.write({ count: 20, size: 100 });
  stream.end();
}
