import grpc from 'k6/net/grpc';
import { attempt } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
import * as all from 'k6/net/grpc';
console.log(Object.keys(grpc).sort().join());
console.log(Object.keys(all).filter((name) => name !== 'default').sort().join());
console.log(typeof client, JSON.stringify(client), Object.keys(client).join(), String(client), client instanceof grpc.Client);
for (const name in client) console.log(name, typeof client[name]);
attempt('without new', () => typeof grpc.Client());
export default function () {
  console.log(typeof grpc.Stream, typeof grpc.Client);
}
