import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export default function () {
  for (const params of [{ foo: 1 }, { plaintext: 'yes' }, { plaintext: 1 }, { plaintext: null }, { plaintext: { a: 1 } }, { plaintext: [1, 'x'] }, { plaintext: 1.5 },
    { timeout: 'x' }, { timeout: {} }, { reflect: 'x' }, { reflectMetadata: 'x' }, { reflectMetadata: { a: 1 } },
    { maxReceiveSize: 'x' }, { maxReceiveSize: -1 }, { maxReceiveSize: 1.5 }, { maxSendSize: 'x' }, { maxSendSize: -1 }, { maxSendSize: null },
    { authority: 5 }, { authority: null }]) {
    attempt(JSON.stringify(params), () => client.connect(PLAIN, params));
  }
  attempt('null', () => client.connect(PLAIN, Object.assign({}, { plaintext: true, timeout: 5000, maxReceiveSize: 0, maxSendSize: 0 })));
}
