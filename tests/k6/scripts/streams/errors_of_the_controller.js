// controller.error with anything: what reads, readers and cancels are rejected with.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt, controlled, settled } from './lib/show.js';

export default async function () {
  for (const reason of [new Error('E'), 'text', 5, null, undefined, { a: 1 }]) {
    const { stream, controller } = controlled(ReadableStream);
    const reader = stream.getReader();
    const pending = reader.read();
    controller.error(reason);
    controller.error('a second one is not heard');
    await settled(`pending ${JSON.stringify(reason)}`, pending);
    await settled('closed', reader.closed);
    await settled('read', reader.read());
    await settled('cancel', reader.cancel('why'));
    reader.releaseLock();
    await settled('closed after release', reader.closed);
    await settled('stream cancel', stream.cancel());
    const second = attempt('second reader', () => stream.getReader());
    if (second) await settled('closed of the second', second.closed);
    attempt('close', () => controller.close());
    attempt('enqueue', () => controller.enqueue(1));
  }
  const { stream, controller } = controlled(ReadableStream);
  controller.enqueue('lost');
  controller.error();
  await settled('without a reason', stream.getReader().read());
}
