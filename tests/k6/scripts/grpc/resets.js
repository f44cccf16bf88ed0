import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  for (let code = 0; code < 15; code++) {
    const response = client.invoke('echo.v1.Faults/Reset', { text: `${code}` });
    console.log(code, show(response.error), String(response.status));
  }
}
