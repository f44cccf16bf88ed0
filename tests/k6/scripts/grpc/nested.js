import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const call = (message) => show(client.invoke('echo.v1.Echo/Nested', message).message);
export default function () {
  connect();
  console.log(call({}));
  console.log(call({ one: {}, many: [{ anInt32: 1 }, {}], numbers: [1, '2', 9007199254740992], counts: { b: 2, a: '1' }, byNumber: { 5: { aBool: true }, '-1': {} }, byTruth: { true: 'yes', false: 'no' }, word: '', colours: ['RED', 2, 0, 7] }));
  console.log(call({ number: 5 }), call({ deeper: { deeper: { word: 'deep' } } }));
  for (const message of [{ word: 'a', number: 1 }, { byNumber: { x: {} } }, { byTruth: { maybe: '' } }, { numbers: [null] }, { many: [1] }, { one: [] }, { counts: { a: 'x' } }, { colours: ['BLUE'] }]) {
    attempt(JSON.stringify(message), () => client.invoke('echo.v1.Echo/Nested', message));
  }
}
