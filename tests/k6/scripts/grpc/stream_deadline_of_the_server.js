// A stream that the server ends for being late, within its time-out.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream', { timeout: '5s' });
  stream.on('data', (data) => console.log('data', data.index));
  stream.on('error', (error) => console.log('error', String(error.code), text(error)));
  stream.on('end', () => console.log('end'));
  stream.write({ count: 2, code: 4, message: 'over' });
  stream.end();
}
