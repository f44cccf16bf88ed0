// Large messages of a stream, one of them too large.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect({ maxReceiveSize: 60000 });
  const run = (size, count, then) => {
    const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream');
    let bytes = 0;
    stream.on('data', (data) => (bytes += data.padding.length));
    stream.on('error', (error) => console.log('error', String(error.code), text(error)));
    stream.on('end', () => {
      console.log('end', size, bytes);
      then();
    });
    stream.write({ size, count });
    stream.end();
  };
  run(50000, 12, () => run(70000, 1, () => {}));
}
