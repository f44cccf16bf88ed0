import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  console.log(show(client.invoke('echo.v1.Faults/GoAway', { text: 'going' }).message));
  console.log(show(client.invoke('echo.v1.Echo/Unary', { text: 'next' }).message));
  console.log(show(client.invoke('echo.v1.Faults/Gone', {}).error));
  console.log(show(client.invoke('echo.v1.Echo/Unary', { text: 'again' }).message));
}
