// Samples of health checks have no name of their own.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export const options = { thresholds: { 'grpc_req_duration{status:0}': ['avg>=0'], 'grpc_req_duration{status:5}': ['avg>=0'], 'grpc_req_duration{name:/grpc.health.v1.Health/Check}': ['avg>=0'], 'grpc_req_duration{method:Check}': ['avg>=0'] } };
export default function () {
  connect();
  for (const service of ['', 'down', 'no-such']) attempt(service, () => client.healthCheck(service).status);
}
