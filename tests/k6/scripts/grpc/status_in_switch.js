import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  for (const code of [0, 5, 16]) {
    const response = client.invoke('echo.v1.Echo/Unary', { code, message: 'told to' });
    switch (response.status) {
      case grpc.StatusOK: console.log('fine'); break;
      case grpc.StatusNotFound: console.log('nothing'); break;
      default: console.log('other', String(response.status), response.status == code);
    }
  }
}
