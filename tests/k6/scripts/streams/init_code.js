// Streams made in init code, read in iterations.
import { ReadableStream } from 'k6/experimental/streams';
export const options = { vus: 1, iterations: 3 };
let n = 0;
const stream = new ReadableStream({ pull(controller) { controller.enqueue(n++); } });
const reader = stream.getReader();

export default async function () {
  console.log(__ITER, JSON.stringify((await reader.read()).value), n);
}
