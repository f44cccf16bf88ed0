import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const heard = [];
  let open = 3;
  for (const name of ['a', 'b', 'c']) {
    const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi');
    stream.on('data', (data) => { heard.push(data.text); stream.end(); });
    stream.on('end', () => { open -= 1; if (open === 0) console.log(heard.sort().join()); });
    stream.write({ text: name });
  }
}
