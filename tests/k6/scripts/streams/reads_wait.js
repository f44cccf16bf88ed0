// Many reads before anything is there, and an end while they wait.
import { ReadableStream } from 'k6/experimental/streams';
import { controlled } from './lib/show.js';

export default async function () {
  const pulls = [];
  const { stream, controller } = controlled(ReadableStream, { pull(c) { pulls.push(c.desiredSize); } }, { highWaterMark: 0 });
  const reader = stream.getReader();
  const reads = Array.from({ length: 6 }, () => reader.read());
  await null;
  for (let i = 0; i < 4; i++) controller.enqueue(i);
  console.log((await Promise.all(reads.slice(0, 4))).map((r) => `${r.value}:${r.done}`).join());
  controller.close();
  console.log((await Promise.all(reads.slice(4))).map((r) => `${r.value}:${r.done}`).join(), pulls.length > 0);
  const result = await reader.read();
  console.log('value' in result, Object.keys(result).sort().join(), Object.getPrototypeOf(result) === Object.prototype);
  result.done = 'changed';
  result.more = 1;
  console.log(result.done, result.more);
}
