import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  for (const message of [{ at: '2023-02-29T00:00:00Z' }, { at: 5 }, { at: '2024-01-01T00:00:00' }, { at: '2024-01-01 00:00:00Z' }, { lasts: '5' }, { lasts: 's' }, { lasts: '999999999999s' }, { any: { a: 1 } }, { any: { '@type': '' } }, { any: { '@type': 5 } }, { any: { '@type': 'no.Such' } }, { any: { '@type': 'x/google.protobuf.Duration' } }, { any: { '@type': 'x/google.protobuf.Duration', value: 'x' } }, { any: 5 }, { whole: 'x' }, { mask: 'a_b' }, { mask: 5 }, { empty: { a: 1 } }, { empty: 5 }, { object: [] }, { list: {} }, { truth: 'x' }, { bytes: '!' }, { small: -1 }]) {
    attempt(JSON.stringify(message), () => client.invoke('echo.v1.Echo/Known', message));
  }
}
