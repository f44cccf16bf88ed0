// Who holds a stream, and how it is let go.
import { ReadableStream, ReadableStreamDefaultReader } from 'k6/experimental/streams';
import { attempt, controlled, settled } from './lib/show.js';

export default async function () {
  const { stream, controller } = controlled(ReadableStream);
  console.log(stream.locked);
  const reader = new ReadableStreamDefaultReader(stream);
  console.log(stream.locked);
  attempt('second', () => stream.getReader());
  attempt('second', () => new ReadableStreamDefaultReader(stream));
  const pending = reader.read();
  attempt('release', () => reader.releaseLock());
  attempt('release again', () => reader.releaseLock());
  console.log(stream.locked);
  await settled('pending', pending);
  await settled('closed', reader.closed);
  await settled('read', reader.read());
  await settled('cancel', reader.cancel());
  const next = stream.getReader();
  controller.enqueue('for the next');
  await settled('next', next.read());
  controller.close();
  await settled('next closed', next.closed);
  next.releaseLock();
  await settled('next released', next.closed);
  const last = stream.getReader();
  await settled('last', last.read());
  for (const value of [undefined, null, 1, 'x', {}, [], reader, () => 1]) {
    attempt(`reader of ${typeof value}`, () => new ReadableStreamDefaultReader(value));
  }
  attempt('none', () => new ReadableStreamDefaultReader());
  attempt('two', () => new ReadableStreamDefaultReader(new ReadableStream(), 1));
}
