// A source that pushes everything at once, and one that is asked for each chunk.
import { ReadableStream } from 'k6/experimental/streams';
import { drain } from './lib/show.js';

export default async function () {
  const pushed = new ReadableStream({
    start(controller) {
      for (const word of ['one', 'two', 'three']) controller.enqueue(word);
      controller.close();
    },
  });
  console.log(JSON.stringify(await drain(pushed.getReader())));
  let next = 0;
  const pulled = new ReadableStream({
    pull(controller) {
      console.log('pull', next, controller.desiredSize);
      if (next === 4) controller.close();
      else controller.enqueue({ number: next++ });
    },
  });
  console.log(JSON.stringify(await drain(pulled.getReader())), pulled.locked);
}
