// Users have streams of their own.
import { ReadableStream } from 'k6/experimental/streams';
import { drain } from './lib/show.js';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };
let left = 3;

export default async function () {
  const stream = new ReadableStream({ pull(c) { c.enqueue(`${__VU}:${__ITER}:${left--}`); if (left <= 0) { c.close(); left = 3; } } });
  console.log((await drain(stream.getReader())).join());
}
