import grpc from 'k6/net/grpc';
import { attempt, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const unary = (message) => () => client.invoke('echo.v1.Echo/Unary', message);
export default function () {
  connect();
  attempt('type', unary({ text: 5 }));
  attempt('field', unary({ nosuch: 5 }));
  attempt('null', unary(null));
  attempt('undefined', unary(undefined));
  attempt('none', () => client.invoke('echo.v1.Echo/Unary'));
  attempt('text', unary('x'));
  attempt('number', unary(5));
  attempt('array', unary([1]));
  attempt('function', unary(() => 1));
  attempt('boolean', unary(true));
  attempt('nested', unary({ text: 'é', headers: { a: 1 } }));
  attempt('list', unary({ details: {} }));
  attempt('map', unary({ headers: [] }));
  attempt('fraction', unary({ count: 1.5 }));
  attempt('large', unary({ count: 3e9 }));
  attempt('twice', unary({ delayMs: 0, delay_ms: 0 }));
  attempt('cyclic', () => { const a = {}; a.headers = a; return client.invoke('echo.v1.Echo/Unary', a); });
  attempt('any', unary({ details: [{ a: 1 }] }));
  attempt('any type', unary({ details: [{ '@type': 'no.Such' }] }));
}
