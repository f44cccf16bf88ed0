// A client's key under a password, the right one and others.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const cert = open('client.pem');
const key = open('client-encrypted.key');
const plain = open('client.key');
export default function () {
  attempt('right', () => client.connect(MUTUAL, { tls: { cert, key, password: 'secret' } }));
  attempt('call', () => client.invoke('hello.HelloService/SayHello', { greeting: 'locked' }).message);
  attempt('wrong', () => client.connect(MUTUAL, { tls: { cert, key, password: 'other' } }));
  attempt('not needed', () => client.connect(MUTUAL, { tls: { cert, key: plain, password: 'secret' } }));
  attempt('no key', () => client.connect(MUTUAL, { tls: { cert, key: 'x', password: 'secret' } }));
}
