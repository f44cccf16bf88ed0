import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const call = (message) => show(client.invoke('echo.v1.Echo/Known', message).message);
export default function () {
  connect();
  console.log(call({}));
  console.log(call({ any: { '@type': 'type.googleapis.com/kinds.Scalars', anInt32: 5 }, at: '2024-02-29T23:59:59.120+01:00', lasts: '-1.5s', object: { a: [1, null, { b: true }], c: 'x' }, value: null, list: [1, 'two', [3]], mask: 'fooBar,a.bC', empty: {}, text: '', whole: 5, real: 0.5, truth: false, bytes: 'AQI=', small: 7 }));
  console.log(call({ any: { '@type': 'x/google.protobuf.Duration', value: '3s' }, at: new Date(0), lasts: '0.000000001s', value: { deep: [true] } }));
  console.log(call({ at: '1969-12-31T23:59:59.999999999Z', value: 'text', any: {} }), call({ value: 1.5, lasts: '1.5s' }), call({ value: [1], mask: '' }));
}
