import grpc from 'k6/net/grpc';
import { show, PLAIN } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const connect = (params) => client.connect(PLAIN, Object.assign({ plaintext: true }, params));
export default function () {
  connect();
  for (const fault of ['NotGrpc', 'NoContentType', 'NoStatus', 'BadStatus', 'BadMessage', 'CutMessage', 'NoReply', 'TwoReplies', 'Compressed', 'BadCompression', 'UnknownCompression', 'BadFormat']) {
    const response = client.invoke(`echo.v1.Faults/${fault}`, { text: 'hi' });
    console.log(fault, show(response.error), show(response.message), show(response.headers), String(response.status));
  }
}
