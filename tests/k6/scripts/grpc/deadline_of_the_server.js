// A server that says the time is over has a sample; a client's own time-out has one too.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export const options = { thresholds: { 'grpc_req_duration{status:4}': ['avg>=0'], 'grpc_req_duration{name:told}': ['avg>=0'], 'grpc_req_duration{name:late}': ['avg>=0'] } };
export default function () {
  connect();
  console.log(show(client.invoke('echo.v1.Echo/Unary', { code: 4, message: 'too late' }, { tags: { name: 'told' } }).error));
  console.log(show(client.invoke('echo.v1.Echo/Unary', { delayMs: 500 }, { timeout: '60ms', tags: { name: 'late' } }).error));
}
