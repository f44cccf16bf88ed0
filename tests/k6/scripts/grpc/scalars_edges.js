// The ends of ranges of numbers, numbers as texts, and enums by name and number.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const call = (message) => attempt(JSON.stringify(message), () => client.invoke('echo.v1.Echo/Scalars', message).message);
const only = (name, ...values) => {
  for (const value of values) {
    attempt(`${name} ${JSON.stringify(value)}`, () => client.invoke('echo.v1.Echo/Scalars', { [name]: value }).message[name]);
  }
};
export default function () {
  connect();
  only('anInt32', 2147483647, -2147483648, 2147483648, '12', '1e3', 1.0, 1.5, '0x10', '');
  only('anInt64', '9223372036854775807', '-9223372036854775808', '9223372036854775808', 1e15);
  only('aUint32', 4294967295, -1);
  only('aUint64', '18446744073709551615', '18446744073709551616');
  only('aDouble', 1e308, 'Infinity', '-Infinity', 'NaN', 'x', 0.1);
  only('aFloat', 3.4e38, 3.5e38, 0.1);
  only('aBool', true, 'true', 1);
  only('aString', 'é\u0000', 5, null);
  only('someBytes', 'AQI', 'AQI=', 'A', '!!');
  only('colour', 'RED', 2, 99, 'NOPE', '1');
  call({ maybe: 0 });
  call({ 'x-renamed': 'a' });
  call({ renamed: 'b' });
}
