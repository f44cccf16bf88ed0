// Chunks that timers push while the reader waits; the usual shape of an event source.
import { ReadableStream } from 'k6/experimental/streams';
import { setInterval, clearInterval } from 'k6/timers';

function ticks(count) {
  let timer;
  let n = 0;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        controller.enqueue(`tick ${n++}`);
        if (n === count) { clearInterval(timer); controller.close(); }
      }, 10);
    },
    cancel(reason) { clearInterval(timer); console.log('cancelled', reason); },
  });
}

export default async function () {
  const reader = ticks(4).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    console.log(value);
  }
  const second = ticks(100).getReader();
  console.log((await second.read()).value);
  await second.cancel('enough');
  console.log((await second.read()).done);
}
