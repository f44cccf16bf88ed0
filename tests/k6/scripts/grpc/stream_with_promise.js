import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default async function () {
  connect();
  const all = await new Promise((resolve, reject) => {
    const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream');
    const texts = [];
    stream.on('data', (data) => texts.push(`${data.text}${data.index}`));
    stream.on('error', reject);
    stream.on('end', () => resolve(texts));
    stream.write({ text: 'p', count: 4 });
  });
  console.log(all.join());
}
