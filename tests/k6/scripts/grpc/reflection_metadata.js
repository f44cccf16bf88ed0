import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
export default function () {
  attempt('refused', () => other.connect(PLAIN, { plaintext: true, reflect: true, reflectMetadata: { 'x-key': 'no' } }));
  attempt('open', () => other.connect(PLAIN, { plaintext: true, reflect: true, reflectMetadata: { 'x-key': 'open' } }));
  attempt('call', () => other.invoke('hello.HelloService/SayHello', { greeting: 'x' }).message);
}
