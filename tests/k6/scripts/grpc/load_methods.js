import grpc from 'k6/net/grpc';
import { show, attempt } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const sorted = (methods) => methods.map(show).sort();
for (const method of sorted(client.load(['proto'], 'hello.proto'))) console.log(method);
const other = new grpc.Client();
console.log(show(other.load(['proto'], 'hello.proto', 'echo.proto').map((m) => m.full_method).sort()));
console.log(show(other.load(['proto'], 'echo.proto').length), show(other.load()), show(other.load(['proto'])));
const method = other.load(['./proto/../proto'], 'hello.proto')[0];
console.log(Object.keys(method).join(), method.fullMethod, typeof method.is_client_stream);
export default function () {
  attempt('late', () => client.load(['proto'], 'hello.proto'));
  attempt('late set', () => client.loadProtoset('x'));
}
