import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
console.log(show(other.loadProtoset('proto/hello.protoset').map((m) => m.full_method).sort()));
export default function () {
  other.connect(PLAIN, { plaintext: true });
  console.log(show(other.invoke('hello.HelloService/SayHello', { greeting: 'set' }).message));
}
