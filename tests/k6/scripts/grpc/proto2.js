// Fields of proto2: required, defaults, groups and extensions.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const old = new grpc.Client();
const methods = old.load(['proto'], 'old.proto').map((method) => method.full_method);
export default function () {
  old.connect(PLAIN, { plaintext: true });
  console.log(methods.join());
  attempt('missing', () => old.invoke('old.Old/Call', {}));
  attempt('call', () => old.invoke('old.Old/Call', { name: 'x', kind: 'B' }).error);
}
