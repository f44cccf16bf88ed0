// @exit 107
import grpc from 'k6/experimental/grpc';
console.log(typeof grpc);
export default function () {}
