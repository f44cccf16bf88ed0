// @compare summary-text
import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
import { group } from 'k6';
export const options = {
  thresholds: {
    'grpc_req_duration{status:0}': ['avg>=0'],
    'grpc_req_duration{status:5}': ['avg>=0'],
    'grpc_req_duration{method:Unary}': ['avg>=0'],
    'grpc_req_duration{service:echo.v1.Echo}': ['avg>=0'],
    'grpc_req_duration{name:/echo.v1.Echo/Unary}': ['avg>=0'],
    'grpc_req_duration{name:mine}': ['avg>=0'],
    'grpc_req_duration{own:yes}': ['avg>=0'],
    'grpc_req_duration{group:::inner}': ['avg>=0'],
  },
};
export default function () {
  connect();
  for (let n = 0; n < 3; n++) client.invoke('echo.v1.Echo/Unary', {});
  client.invoke('echo.v1.Echo/Unary', { code: 5 }, { tags: { own: 'yes' } });
  client.invoke('hello.HelloService/SayHello', {}, { tags: { name: 'mine' } });
  client.healthCheck();
  group('inner', () => client.invoke('hello.HelloService/SayHello', {}));
}
