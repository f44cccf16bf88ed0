import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const bidi = 'echo.v1.Echo/Bidi';
export default function () {
  connect();
  attempt('nothing', () => new grpc.Stream());
  attempt('null', () => new grpc.Stream(null, bidi));
  attempt('object', () => new grpc.Stream({}, bidi));
  attempt('number', () => new grpc.Stream(5, bidi));
  attempt('no method', () => new grpc.Stream(client));
  attempt('unknown method', () => new grpc.Stream(client, 'x'));
  attempt('empty method', () => new grpc.Stream(client, ''));
  attempt('params', () => new grpc.Stream(client, bidi, { x: 1 }));
  attempt('metadata', () => new grpc.Stream(client, bidi, { metadata: { 'a b': '1' } }));
  const stream = new grpc.Stream(client, bidi);
  attempt('event', () => stream.on('nosuch', () => 1));
  attempt('no handler', () => stream.on('data'));
  attempt('number handler', () => stream.on('data', 5));
  attempt('null handler', () => stream.on('data', null));
  attempt('no message', () => stream.write());
  attempt('null message', () => stream.write(null));
  stream.end();
}
