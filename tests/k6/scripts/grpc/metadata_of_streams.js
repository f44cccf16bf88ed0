// Metadata goes with a stream; its answer's trailers come to nobody.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream', { metadata: { 'x-key': 'v', 'y-bin': new Uint8Array([255]) }, tags: { own: 't' } });
  stream.on('data', (data) => console.log(show(data.metadata)));
  stream.on('metadata', (metadata) => console.log('metadata', show(metadata)));
  stream.on('status', (status) => console.log('status', show(status)));
  stream.on('end', () => console.log('end'));
  stream.write({ count: 1, metadata: true, headers: { 'x-head': '1' }, trailers: { 'x-tail': '2' } });
  stream.end();
}
