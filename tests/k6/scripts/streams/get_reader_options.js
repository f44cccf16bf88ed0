// Modes of readers, and what k6 does not have.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt } from './lib/show.js';

export default function () {
  for (const options of [undefined, null, {}, { mode: undefined }, { mode: null }, { mode: 'byob' }, { mode: 'x' }, { mode: { toString: () => 'byob' } }, [], () => 1, 1, 'x', true]) {
    attempt(`options ${JSON.stringify(options)}`, () => typeof new ReadableStream().getReader(options).read);
  }
  attempt('mode throws', () => new ReadableStream().getReader({ get mode() { throw new Error('no mode'); } }));
  const stream = new ReadableStream();
  attempt('tee', () => stream.tee());
  console.log(stream.locked, typeof stream[Symbol.asyncIterator], typeof stream.pipeTo, typeof stream.pipeThrough, typeof ReadableStream.from);
}
