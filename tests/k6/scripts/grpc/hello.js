import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
import { check } from 'k6';
export default function () {
  console.log(connect());
  const response = client.invoke('hello.HelloService/SayHello', { greeting: 'you' });
  check(response, { 'status is OK': (r) => r && r.status === grpc.StatusOK });
  console.log(show(response), response.message.reply, response.error, Object.keys(response).join());
  client.close();
}
