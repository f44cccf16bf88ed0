import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
attempt('connect', () => client.connect(PLAIN));
attempt('invoke', () => client.invoke('hello.HelloService/SayHello', {}));
attempt('close', () => client.close());
attempt('stream', () => new grpc.Stream(client, 'hello.HelloService/BidiHello'));
export default function () {}
