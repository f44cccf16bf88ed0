import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const call = (params) => () => client.invoke('echo.v1.Echo/Unary', { text: 'x' }, params).message;
export default function () {
  connect();
  for (const params of [null, undefined, {}, { foo: 1 }, { metadata: 5 }, { metadata: null }, { metadata: [] }, { metadata: { a: 5 } }, { metadata: { 'a-bin': 'x' } },
    { tags: { a: {} } }, { tags: null }, { tags: 5 }, { timeout: 'x' }, { timeout: {} }, { timeout: 0 }, { timeout: '10s' }, { discardResponseMessage: true }, { discardResponseMessage: 0 }]) {
    attempt(JSON.stringify(params), call(params));
  }
}
