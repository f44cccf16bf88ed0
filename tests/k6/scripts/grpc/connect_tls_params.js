import grpc from 'k6/net/grpc';
import { attempt, SECURE } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export default function () {
  for (const tls of [5, 'x', [1], null, { cert: 5 }, { key: 5 }, { password: 5 }, { cacerts: 5 }, { cacerts: [5] }, { cacerts: ['a', 5] }, { cacerts: [null] }, { cert: { a: null } }]) {
    attempt(JSON.stringify(tls), () => client.connect(SECURE, { tls }));
  }
  attempt('no authority', () => client.connect(SECURE, { tls: { cacerts: 'x' } }));
  attempt('no certificate', () => client.connect(SECURE, { tls: { cert: 'x', key: 'y' } }));
}
