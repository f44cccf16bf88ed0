// Tags of the script, of a scenario and of calls, and a name of one's own.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
import exec from 'k6/execution';
export const options = {
  tags: { run: 'r' },
  scenarios: { one: { executor: 'per-vu-iterations', vus: 1, iterations: 1, tags: { kind: 's' } } },
  thresholds: {
    'grpc_req_duration{run:r}': ['avg>=0'],
    'grpc_req_duration{kind:s}': ['avg>=0'],
    'grpc_req_duration{kind:own}': ['avg>=0'],
    'grpc_req_duration{set:v}': ['avg>=0'],
    'grpc_streams{name:mine}': ['count==1'],
    'grpc_streams_msgs_sent{scenario:one}': ['count==1'],
    'grpc_streams_msgs_received{name:mine}': ['count==2'],
  },
};
export default function () {
  connect();
  client.invoke('echo.v1.Echo/Unary', {}, { tags: { kind: 'own' } });
  exec.vu.tags.set = 'v';
  client.invoke('echo.v1.Echo/Unary', {});
  const stream = new grpc.Stream(client, 'echo.v1.Echo/ServerStream', { tags: { name: 'mine' } });
  stream.on('end', () => console.log('end'));
  stream.write({ count: 2 });
  stream.end();
}
