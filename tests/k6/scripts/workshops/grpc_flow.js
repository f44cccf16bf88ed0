// gRPC in scenarios of their own functions, with metadata, a discarded message and errors.
import grpc from 'k6/net/grpc';
import { check, fail } from 'k6';
import exec from 'k6/execution';
const client = new grpc.Client();
client.load(['./proto'], 'hello.proto');
export const options = {
  scenarios: {
    greet: { executor: 'shared-iterations', vus: 1, iterations: 2, exec: 'greet', tags: { api: 'grpc' } },
    wrong: { executor: 'shared-iterations', vus: 1, iterations: 1, exec: 'wrong', startTime: '0.6s' },
  },
  thresholds: { 'grpc_req_duration{api:grpc}': ['max<9000'], checks: ['rate==1'] },
};
const address = __ENV.GRPC_BASE.split('//')[1];
export function greet() {
  if (exec.vu.iterationInScenario === 0) client.connect(address, { plaintext: true });
  const r = client.invoke('/hello.HelloService/SayHello', { greeting: `n${exec.vu.iterationInScenario}` }, { metadata: { 'x-run-bin': new Uint8Array([1, 2]).buffer, plain: 'p' }, timeout: 2000, discardResponseMessage: exec.vu.iterationInScenario === 1 });
  console.log(r.status, JSON.stringify(r.message), r.error ? r.error.message : 'none');
  check(r, { fine: (x) => x.status === grpc.StatusOK });
}
export function wrong() {
  const other = new grpc.Client();
  try { other.connect('127.0.0.1:1', { plaintext: true, timeout: '300ms' }); } catch (e) { console.log(String(e.message ?? e).replace(/127.*$/, '')); }
  try { other.invoke('a.B/C', {}); } catch (e) { console.log(e.message ?? e); }
  try { other.load([], 'x.proto'); } catch (e) { console.log(e.message ?? e); }
  try { client.connect(address, { plaintext: true, nosuch: 1 }); console.log('connected'); } catch (e) { console.log(e.message ?? e); }
}
