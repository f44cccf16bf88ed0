import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const listen = (stream, name) => {
  stream.on('data', (data, meta) => console.log(name, 'data', show(data), Object.keys(meta).join(), typeof meta.ts));
  stream.on('error', (error, meta) => console.log(name, 'error', show(error), String(error.code), error.message.replace(/\u00a0/g, ' '), Object.keys(error).join(), Object.keys(meta).join()));
  stream.on('end', (...args) => console.log(name, 'end', args.length, show(args[0]), Object.keys(args[1]).join()));
  return stream;
};

export default function () {
  connect();
  const stream = listen(new grpc.Stream(client, 'echo.v1.Echo/ServerStream'), 'server');
  stream.write({ text: 'a', count: 3 });
  stream.end();
  console.log('out', typeof stream, Object.keys(stream).join(), stream instanceof grpc.Stream);
}
