// A read that fails and that nobody looks at, and promises nobody has to look at.
import { ReadableStream } from 'k6/experimental/streams';
export const options = { vus: 1, iterations: 2 };

export default function () {
  let controller;
  const stream = new ReadableStream({ start(c) { controller = c; } });
  const reader = stream.getReader();
  console.log('iteration', __ITER);
  if (__ITER === 0) reader.read();
  controller.error(new Error('nobody looks'));
}
