import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export const options = { blacklistIPs: ['127.0.0.1/32'] };
export default function () {
  attempt('blocked', () => connect({ timeout: '300ms' }));
}
