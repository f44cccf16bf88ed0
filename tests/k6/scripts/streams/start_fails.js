// A source whose start throws, or gives a promise that is rejected.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt, settled } from './lib/show.js';

export default async function () {
  for (const reason of [new Error('no start'), 'text', 5, null, undefined, { a: 1 }]) {
    const name = JSON.stringify(reason);
    attempt(`throws ${name}`, () => new ReadableStream({ start() { throw reason; } }));
    const rejected = new ReadableStream({ start: () => Promise.reject(reason) });
    const reader = attempt(`rejects ${name}`, () => rejected.getReader());
    if (reader) {
      await settled('closed', reader.closed);
      await settled('read', reader.read());
    }
    const late = new ReadableStream({ async start() { await null; throw reason; } });
    const waiting = late.getReader();
    await settled(`late ${name}`, waiting.read());
    await settled('closed', waiting.closed);
  }
}
