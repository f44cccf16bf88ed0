// Any of known types, of unknown ones, and within itself.
import grpc from 'k6/net/grpc';
import { show, attempt, PLAIN, SECURE, MUTUAL } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
const text = (error) => error.message.replace(/\u00a0/g, ' ');
const call = (any) => attempt(JSON.stringify(any), () => client.invoke('echo.v1.Echo/Known', { any }).message.any);
export default function () {
  connect();
  call({ '@type': 'type.googleapis.com/google.protobuf.StringValue', value: 'x' });
  call({ '@type': 'type.googleapis.com/google.protobuf.Struct', value: { a: 1 } });
  call({ '@type': 'type.googleapis.com/google.protobuf.Empty', value: {} });
  call({ '@type': 'type.googleapis.com/google.protobuf.Empty' });
  call({ '@type': 'type.googleapis.com/google.protobuf.Any', value: { '@type': 'a/kinds.Scalars', aBool: true } });
  call({ '@type': 'type.googleapis.com/no.such.Type' });
  call({ '@type': 'kinds.Scalars' });
  call({ '@type': '' });
  call({ '@type': 5 });
  call({ value: 1 });
  call({ '@type': 'a/kinds.Scalars', nothing: 1 });
  call({ '@type': 'a/echo.v1.Reply', text: 'of another file' });
}
