import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const call = (metadata) => show(client.invoke('echo.v1.Echo/Unary', { metadata: true }, { metadata }).message.metadata);
export default function () {
  connect();
  console.log(call({ 'X-Up': 'v', lower: 'w', 'some-bin': new Uint8Array([1, 2, 255]) }));
  console.log(call({ 'grpc-x': 'kept', te: 'dropped', 'content-type': 'dropped', ':path': 'dropped' }));
  console.log(call({ empty: '', spaced: ' a b ' }));
  for (const metadata of [{ 'a b': 'x' }, { a: 'é' }, { a: 'x\ny' }, { '': 'x' }]) {
    console.log(show(client.invoke('echo.v1.Echo/Unary', {}, { metadata }).error));
  }
}
