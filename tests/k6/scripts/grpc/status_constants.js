import grpc from 'k6/net/grpc';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
const names = ['StatusOK', 'StatusCanceled', 'StatusUnknown', 'StatusInvalidArgument', 'StatusDeadlineExceeded', 'StatusNotFound', 'StatusAlreadyExists', 'StatusPermissionDenied', 'StatusResourceExhausted', 'StatusFailedPrecondition', 'StatusAborted', 'StatusOutOfRange', 'StatusUnimplemented', 'StatusInternal', 'StatusUnavailable', 'StatusDataLoss', 'StatusUnauthenticated'];
export default function () {
  for (const name of names) {
    const code = grpc[name];
    console.log(name, typeof code, String(code), JSON.stringify(code), code + 1, code == names.indexOf(name), code === names.indexOf(name), code === grpc[name], `${code}`, code.string(), Object.keys(code).join());
  }
  console.log(grpc.StatusNotFound);
  console.log(grpc.StatusOK === grpc.StatusCanceled, grpc.StatusOK ? 'truthy' : 'falsy', grpc.StatusNotFound > grpc.StatusUnknown);
}
