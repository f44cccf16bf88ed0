import grpc from 'k6/net/grpc';
import { attempt } from './lib/show.js';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const other = new grpc.Client();
attempt('no such file', () => other.load([], 'nosuch.proto'));
attempt('no paths', () => other.load(null, 'echo.proto'));
attempt('missing import', () => other.load([], 'proto/echo.proto'));
attempt('several paths', () => other.load(['nowhere', 'proto'], 'hello.proto').length);
attempt('a text', () => other.load('proto', 'hello.proto'));
attempt('a number', () => other.load(5, 'hello.proto'));
attempt('last path', () => other.load(['proto', 'nowhere'], 'nosuch.proto'));
attempt('no set', () => other.loadProtoset('nosuch.bin'));
attempt('not a set', () => other.loadProtoset('proto/hello.proto'));
export default function () {}
