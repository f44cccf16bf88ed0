// Chunks that are bodies of requests.
import http from 'k6/http';
import { check } from 'k6';
import { ReadableStream } from 'k6/experimental/streams';

export default async function () {
  let n = 0;
  const bodies = new ReadableStream({ pull(c) { c.enqueue(JSON.stringify({ n })); if (++n === 3) c.close(); } }, { highWaterMark: 0 });
  const reader = bodies.getReader();
  for (let r = await reader.read(); !r.done; r = await reader.read()) {
    const res = await http.asyncRequest('POST', `${__ENV.BASE}/post`, r.value);
    check(res, { 'is there': (res) => res.status === 200 });
    console.log(r.value, res.status);
  }
}
