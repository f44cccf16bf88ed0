import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
  stream.on('data', () => { throw new Error('mine'); });
  let heard = 0;
  stream.on('error', (error) => { heard += 1; if (heard === 1) console.log(error.message.split(' at ')[0], String(error.code)); });
  stream.write({ text: 'x' });
}
