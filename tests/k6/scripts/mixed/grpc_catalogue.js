// A gRPC client with checks on status, a wrong method and a stream.
import grpc from 'k6/net/grpc';
import { check } from 'k6';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export const options = { thresholds: { 'grpc_req_duration': ['p(95)<5000'] } };
export default () => {
  client.connect(__ENV.GRPC_BASE.split('//')[1], { plaintext: true, timeout: '2s' });
  const r = client.invoke('hello.HelloService/SayHello', { greeting: 'Kim' }, { metadata: { 'x-a': '1' }, tags: { call: 'hello' } });
  check(r, { ok: (x) => x && x.status === grpc.StatusOK, greets: (x) => x.message.reply.includes('Kim') });
  try { client.invoke('hello.HelloService/Nothing', {}); } catch (e) { console.log(e.message); }
  try { client.invoke('hello.HelloService/SayHello', { nosuch: 1 }); } catch (e) { console.log(e.message.replace(/\u00a0/g, ' ')); }
  client.close();
  try { client.invoke('hello.HelloService/SayHello', {}); } catch (e) { console.log(e.message); }
};
