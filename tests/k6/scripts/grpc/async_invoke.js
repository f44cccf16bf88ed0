import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default async function () {
  connect();
  const response = await client.asyncInvoke('hello.HelloService/SayHello', { greeting: 'async' });
  console.log(show(response), response.status === grpc.StatusOK);
  const all = await Promise.all([1, 2, 3].map((n) => client.asyncInvoke('hello.HelloService/SayHello', { greeting: `g${n}` })));
  console.log(all.map((one) => one.message.reply).join());
  const failed = await client.asyncInvoke('echo.v1.Echo/Unary', { code: 5, message: 'm' });
  console.log(show(failed.error));
  const late = await client.asyncInvoke('echo.v1.Echo/Unary', { delayMs: 1000 }, { timeout: 50 });
  console.log(show(late.error));
}
