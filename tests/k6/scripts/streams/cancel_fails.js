// Sources whose cancel throws or is rejected; streams that are locked.
import { ReadableStream } from 'k6/experimental/streams';
import { settled } from './lib/show.js';

export default async function () {
  for (const reason of [new Error('no cancel'), 'text', 5, null, undefined, { a: 1 }]) {
    const name = JSON.stringify(reason);
    await settled(`throws ${name}`, new ReadableStream({ cancel() { throw reason; } }).cancel());
    await settled(`rejects ${name}`, new ReadableStream({ cancel: () => Promise.reject(reason) }).cancel());
    const reader = new ReadableStream({ cancel() { throw reason; } }).getReader();
    await settled('of a reader', reader.cancel());
    await settled('closed', reader.closed);
  }
  const stream = new ReadableStream({ cancel() { console.log('never told'); } });
  stream.getReader();
  await settled('locked', stream.cancel());
  console.log(stream.locked);
}
