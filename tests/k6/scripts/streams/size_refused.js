// Sizes that are none, and size functions that throw: the stream fails with them.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt, controlled, settled } from './lib/show.js';

export default async function () {
  for (const size of [NaN, -1, Infinity, 'x', undefined]) {
    const { stream, controller } = controlled(ReadableStream, {}, { highWaterMark: 3, size: () => size });
    const reader = stream.getReader();
    attempt(`size ${String(size)}`, () => controller.enqueue(1));
    await settled('closed', reader.closed);
    await settled('read', reader.read());
    await settled('cancel', reader.cancel());
    reader.releaseLock();
    await settled('stream cancel', stream.cancel());
    await settled('closed again', stream.getReader().closed);
    console.log(controller.desiredSize);
    attempt('enqueue again', () => controller.enqueue(2));
  }
  for (const thrown of [new Error('bad size'), { a: 1 }, null, undefined, 5]) {
    const { stream, controller } = controlled(ReadableStream, {}, { size() { throw thrown; } });
    const reader = stream.getReader();
    attempt(`throws ${JSON.stringify(thrown)}`, () => controller.enqueue(1));
    const how = await reader.read().catch((e) => [typeof e, e instanceof Error, Object.keys(e).sort().join()]);
    console.log(JSON.stringify(how));
    console.log(JSON.stringify(await reader.closed.catch((e) => e.value() === thrown)));
    reader.releaseLock();
    const second = attempt('reader', () => stream.getReader());
    if (second) await settled('closed again', second.closed);
    else attempt('reader', () => stream.getReader());
  }
}
