// @trust none
import grpc from 'k6/net/grpc';
import { show, SECURE } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export const options = { insecureSkipTLSVerify: true };
export default function () {
  console.log(client.connect(SECURE));
  console.log(show(client.invoke('hello.HelloService/SayHello', { greeting: 'any' }).message));
}
