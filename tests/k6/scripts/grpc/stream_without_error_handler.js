import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
  stream.on('end', () => console.log('end'));
  stream.write({ code: 5, message: 'unheard' });
}
