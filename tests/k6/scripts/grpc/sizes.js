import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect({ maxReceiveSize: 30000, maxSendSize: 50 });
  const call = (message) => client.invoke('echo.v1.Echo/Unary', message);
  console.log(show(call({ size: 40000 }).error));
  console.log(show(call({ text: 'x'.repeat(100) }).error));
  console.log(call({ size: 20000 }).message.padding.length);
  connect();
  console.log(show(call({ size: 5000000 }).error));
  console.log(call({ size: 4000000 }).message.padding.length, call({ text: 'x'.repeat(300000) }).message.text.length);
}
