// A source whose pull throws, or gives a promise that is rejected.
import { ReadableStream } from 'k6/experimental/streams';
import { settled } from './lib/show.js';

export default async function () {
  for (const reason of [new Error('no pull'), 'text', 5, null, undefined, { a: 1 }]) {
    const name = JSON.stringify(reason);
    const thrown = new ReadableStream({ pull() { throw reason; } }).getReader();
    await settled(`throws ${name}`, thrown.read());
    await settled('closed', thrown.closed);
    const rejected = new ReadableStream({ pull: () => Promise.reject(reason) }).getReader();
    await settled(`rejects ${name}`, rejected.read());
    let n = 0;
    const later = new ReadableStream({ pull(c) { if (n++ === 2) throw reason; c.enqueue(n); } }).getReader();
    await settled('first', later.read());
    await settled('second', later.read());
    await settled('third', later.read());
  }
}
