import grpc from 'k6/net/grpc';
import { PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
import exec from 'k6/execution';
export const options = {
  vus: 2, iterations: 4,
  thresholds: {
    grpc_streams: ['count==4'],
    grpc_streams_msgs_sent: ['count==8'],
    grpc_streams_msgs_received: ['count==8'],
    'grpc_streams{own:yes}': ['count==4'],
    'grpc_streams_msgs_received{method:Bidi}': ['count==8'],
    'grpc_streams_msgs_sent{service:echo.v1.Echo}': ['count==8'],
    'grpc_req_duration{method:Bidi}': ['avg>=0'],
  },
};
export default function () {
  exec.vu.tags.mine = 'v';
  connect();
  const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi', { tags: { own: 'yes' } });
  let count = 0;
  stream.on('data', () => { count += 1; if (count === 2) stream.end(); });
  stream.write({ text: 'a' });
  stream.write({ text: 'b' });
}
