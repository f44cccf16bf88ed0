// @trust none
import grpc from 'k6/net/grpc';
import { attempt, SECURE } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export default function () {
  attempt('untrusted', () => client.connect(SECURE, { timeout: '800ms' }));
}
