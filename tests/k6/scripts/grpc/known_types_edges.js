// The ends of ranges of times, spans, masks and values.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const call = (message) => attempt(JSON.stringify(message), () => client.invoke('echo.v1.Echo/Known', message).message);
export default function () {
  connect();
  call({ at: '9999-12-31T23:59:59.999999999Z' });
  call({ at: '0001-01-01T00:00:00Z' });
  call({ at: '0000-12-31T00:00:00Z' });
  call({ at: '2024-01-01' });
  call({ lasts: '315576000000s' });
  call({ lasts: '315576000001s' });
  call({ lasts: '-0.000000001s' });
  call({ lasts: '1m' });
  call({ mask: 'a_b' });
  call({ whole: '9223372036854775807', small: 4294967295 });
  call({ whole: '9223372036854775808' });
  call({ small: -1 });
  call({ real: 'NaN' });
  call({ truth: 'true' });
  call({ bytes: '_-8' });
  call({ object: { deep: { deeper: [null, 1e300, '', {}] } } });
}
