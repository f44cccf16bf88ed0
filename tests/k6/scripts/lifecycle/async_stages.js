// async setup, default and teardown.
import http from 'k6/http';

export async function setup() {
  const res = await http.asyncRequest('GET', `${__ENV.BASE}/get`);
  return { status: res.status };
}

export default async function (data) {
  const res = await http.asyncRequest('GET', `${__ENV.BASE}/get`);
  console.log(data.status, res.status);
}

export async function teardown(data) {
  await Promise.resolve();
  console.log('down', data.status);
}
