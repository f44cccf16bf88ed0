import grpc from 'k6/net/grpc';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto', 'echo.proto');
export default function () {
  for (const name of ['HealthCheckUnknown', 'HealthCheckServing', 'HealthCheckNotServing', 'HealthCheckServiceUnkown']) {
    const state = grpc[name];
    console.log(name, typeof state, String(state), JSON.stringify(state), state + 0, state === grpc[name], Object.keys(state).join());
  }
}
