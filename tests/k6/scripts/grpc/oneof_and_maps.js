// One of several, the last of them, none of them; keys of maps of every kind.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const call = (message) => attempt(JSON.stringify(message), () => client.invoke('echo.v1.Echo/Nested', message).message);
export default function () {
  connect();
  call({ word: null, number: 3 });
  call({ number: 0 });
  call({ deeper: null });
  call({ deeper: { number: 1, deeper: {} } });
  call({ counts: { '': 1, 'a b': -1, 'é': 9007199254740993 } });
  call({ byNumber: { '007': {} } });
  call({ byNumber: { 2147483648: {} } });
  call({ byTruth: { true: 'a', True: 'b' } });
  call({ counts: null, many: null, one: null });
  call({ by_number: { 1: { an_int32: 4 } } });
  call({ colours: ['GREEN', 'RED', 1] });
}
