import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  const response = client.invoke('echo.v1.Echo/Unary', { headers: { 'x-a': '1', 'y-bin': 'AQI', 'grpc-z': '2' }, trailers: { 'x-t': '3', 't-bin': 'YWJj' } });
  console.log(show(response.headers), show(response.trailers), Array.isArray(response.headers['x-a']));
  const failed = client.invoke('echo.v1.Echo/Unary', { code: 5, headers: { 'x-a': '1' }, trailers: { 'x-t': '3' } });
  console.log(show(failed.headers), show(failed.trailers));
}
