import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const call = (message) => show(client.invoke('echo.v1.Echo/Scalars', message).message);
export default function () {
  connect();
  console.log(call({}));
  console.log(call({ aDouble: 1.5e300, aFloat: 0.1, anInt32: -2147483648, anInt64: '-9223372036854775808', aUint32: 4294967295, aUint64: '18446744073709551615', aSint32: -1, aSint64: -9007199254740991, aFixed32: 7, aFixed64: 8, aSfixed32: -7, aSfixed64: -8, aBool: true, aString: 'é"\\\n\u0001\u2028', someBytes: 'AQID/w==', colour: 'RED', maybe: 0, 'x-renamed': 'r' }));
  console.log(call({ a_double: NaN, a_float: -Infinity, colour: 2, some_bytes: '_-8', an_int32: '12', an_int64: 1e3, renamed: 'by name' }));
  console.log(call({ aDouble: Infinity, aFloat: 3.4e38, colour: 9, maybe: null, aString: null, aBool: undefined }));
  console.log(call({ aDouble: '1.5', aFloat: 16777217, anInt64: 9007199254740993 }));
}
