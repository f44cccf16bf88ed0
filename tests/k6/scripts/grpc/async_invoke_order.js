// Calls that are waited for in another order than they were made.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
export default async function () {
  connect();
  const order = [];
  const calls = [120, 10, 60].map((delayMs) => client.asyncInvoke('echo.v1.Echo/Unary', { text: `${delayMs}`, delayMs }).then((reply) => order.push(reply.message.text)));
  await Promise.all(calls);
  console.log(order.join());
  const race = await Promise.race([client.asyncInvoke('echo.v1.Echo/Unary', { delayMs: 300 }), client.asyncInvoke('echo.v1.Echo/Unary', { text: 'fast' })]);
  console.log(race.message.text);
}
