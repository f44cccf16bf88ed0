// A source whose start and pull take their time.
import { ReadableStream } from 'k6/experimental/streams';
import { setTimeout } from 'k6/timers';
import { drain } from './lib/show.js';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default async function () {
  const log = [];
  let n = 0;
  const stream = new ReadableStream({
    async start() { log.push('starting'); await wait(20); log.push('started'); },
    async pull(controller) {
      log.push('pull' + n);
      await wait(5);
      controller.enqueue(n++);
      if (n === 3) controller.close();
    },
  });
  log.push('made');
  const chunks = await drain(stream.getReader());
  console.log(log.join(), chunks.join());
}
