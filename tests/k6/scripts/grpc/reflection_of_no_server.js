// Reflection where it is refused, late, or nobody speaks gRPC.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const bare = new grpc.Client();
export default function () {
  attempt('older', () => bare.connect(SECURE, { reflect: true }));
  attempt('call', () => bare.invoke('hello.HelloService/SayHello', { greeting: 'x' }).message);
  attempt('metadata', () => bare.connect(PLAIN, { plaintext: true, reflect: true, reflectMetadata: { 'x-key': 5 } }));
  attempt('flag', () => bare.connect(PLAIN, { plaintext: true, reflect: 'yes' }));
}
