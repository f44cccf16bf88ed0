import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const pair = { '@type': 'type.googleapis.com/echo.v1.Pair', key: 'k', value: 'v' };
export default function () {
  connect();
  const response = client.invoke('echo.v1.Echo/Unary', { code: 9, message: 'with details', details: [pair, { '@type': 'type.googleapis.com/kinds.Scalars', aBool: true }] });
  console.log(show(response.error), String(response.status), Object.keys(response.trailers).sort().join());
}
