import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
  let received = 0;
  let bytes = 0;
  stream.on('data', (data) => {
    received += 1;
    bytes += data.padding.length;
    if (received === 60) stream.end();
  });
  stream.on('end', () => console.log('end', received, bytes));
  for (let n = 0; n < 60; n++) stream.write({ text: `m${n}`, size: 500 });
}
