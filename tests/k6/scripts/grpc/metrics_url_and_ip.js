import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export const options = {
  systemTags: ['url', 'ip', 'status', 'method', 'service'],
  thresholds: {
    'grpc_req_duration{ip:127.0.0.1}': ['avg>=0'],
    'grpc_req_duration{name:/echo.v1.Echo/Unary}': ['avg==0'],
    'grpc_req_duration{method:Unary}': ['avg>=0'],
  },
};
export default function () {
  connect();
  client.invoke('echo.v1.Echo/Unary', {});
}
