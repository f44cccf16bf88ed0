// @exit 107
import grpc from 'k6/net/grpc';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
other.load(['proto'], 'nosuch.proto');
export default function () {}
