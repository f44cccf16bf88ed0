// Methods taken off their objects still know whose they are.
import { ReadableStream } from 'k6/experimental/streams';
import { drain } from './lib/show.js';

export default async function () {
  let same;
  const stream = new ReadableStream({
    start(controller) {
      same = controller;
      const { enqueue, close } = controller;
      enqueue('a');
      enqueue.call({}, 'b');
      setTimeout(() => { enqueue('c'); close(); }, 5);
    },
    pull(controller) { console.log('the same object', controller === same); },
  }, { highWaterMark: 3 });
  const { getReader } = stream;
  const reader = getReader();
  const { read, releaseLock } = reader;
  console.log((await read()).value, stream.locked);
  console.log((await drain({ read })).join());
  releaseLock();
  console.log(stream.locked);
  const { cancel } = new ReadableStream({ cancel(reason) { console.log('told', reason); } });
  await cancel('why');
}
