import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const response = client.invoke('echo.v1.Echo/Unary', { text: 'x', size: 1000 }, { discardResponseMessage: true });
  console.log(show(response), response.message === null);
  console.log(show(client.invoke('echo.v1.Echo/Unary', { code: 5 }, { discardResponseMessage: true })));
}
