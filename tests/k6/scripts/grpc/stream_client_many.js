// A server that hears many messages and answers once.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/ClientStream');
  stream.on('data', (data) => console.log('data', data.text.length, data.text.slice(0, 11)));
  stream.on('error', (error) => console.log('error', text(error)));
  stream.on('end', () => console.log('end'));
  for (let n = 0; n < 40; n++) stream.write({ text: `m${n}` });
  stream.end();
  stream.write({ text: 'after the end' });
  stream.end();
}
