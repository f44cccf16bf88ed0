import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  for (const code of [1, 2, 3, 4, 5, 8, 13, 14, 16, 17, 100]) {
    const response = client.invoke('echo.v1.Echo/Unary', { code, message: `code ${code}: é % \n end` });
    console.log(show(response), String(response.status), typeof response.error.code);
  }
}
