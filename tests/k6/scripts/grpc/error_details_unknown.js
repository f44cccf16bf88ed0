import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const other = new grpc.Client();
other.load(['proto'], 'hello.proto');
export default function () {
  connect();
  const response = client.invoke('echo.v1.Echo/Unary', { code: 9, message: 'm', details: [{ '@type': 'x/google.protobuf.Duration', value: '3s' }] });
  console.log(show(response.error), String(response.status));
  other.connect(PLAIN, { plaintext: true });
  attempt('not loaded', () => other.invoke('echo.v1.Echo/Unary', {}));
}
