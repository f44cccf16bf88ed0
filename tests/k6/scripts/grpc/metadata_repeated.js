// Metadata of several kinds, numbers and lists of it, and what comes back more than once.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  const call = (metadata) => () => client.invoke('echo.v1.Echo/Unary', { metadata: true }, { metadata }).message.metadata;
  attempt('several', call({ a: '1', b: '2', 'c-bin': new Uint8Array([0]), 'UPPER-Case': 'Kept' }));
  attempt('number', call({ a: 1 }));
  attempt('list', call({ a: ['1', '2'] }));
  attempt('bool', call({ a: true }));
  attempt('null', call({ a: null }));
  attempt('text as binary', call({ 'a-bin': 'text' }));
  attempt('buffer as binary', call({ 'a-bin': new Uint8Array([1, 2]).buffer }));
  attempt('long', () => client.invoke('echo.v1.Echo/Unary', { metadata: true }, { metadata: { a: 'x'.repeat(3000) } }).message.metadata[0].value.length);
  attempt('own', call({ 'user-agent': 'mine', authorization: 'Bearer x' }));
}
