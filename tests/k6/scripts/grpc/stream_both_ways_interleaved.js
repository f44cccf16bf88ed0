// Two streams of one connection, answers of each in their order, and calls between.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default function () {
  connect();
  const heard = { a: [], b: [] };
  const open = (name) => {
    const stream = new grpc.Stream(client, 'echo.v1.Echo/Bidi', { tags: { name } });
    stream.on('data', (data) => {
      heard[name].push(data.text);
      if (heard[name].length === 5) stream.end();
    });
    stream.on('end', () => console.log(name, heard[name].join()));
    return stream;
  };
  const [a, b] = [open('a'), open('b')];
  for (let n = 0; n < 5; n++) {
    a.write({ text: `a${n}` });
    b.write({ text: `b${n}`, delayMs: 10 });
  }
  console.log(client.invoke('hello.HelloService/SayHello', { greeting: 'between' }).message.reply);
}
