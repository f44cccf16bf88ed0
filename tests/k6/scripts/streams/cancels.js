// What a source is told of a cancel, and what the cancel gives.
import { ReadableStream } from 'k6/experimental/streams';
import { controlled, settled, attempt } from './lib/show.js';

export default async function () {
  for (const reasons of [[], ['why'], [undefined], [null], [{ a: 1 }]]) {
    const source = {
      cancel(reason) {
        console.log('told', arguments.length, typeof reason, JSON.stringify(reason), this === source);
        return 'not given on';
      },
    };
    const stream = new ReadableStream(source);
    await settled('cancel', stream.cancel(...reasons));
    await settled('again', stream.cancel(...reasons));
    const reader = stream.getReader();
    await settled('closed', reader.closed);
    await settled('read', reader.read());
  }
  await settled('without a function', new ReadableStream().cancel('x'));
  const { stream, controller } = controlled(ReadableStream, { cancel: async () => { await null; console.log('done'); } });
  controller.enqueue('never read');
  const reader = stream.getReader();
  const waiting = reader.read();
  const pending = reader.read();
  await settled('reader cancel', reader.cancel('x'));
  await settled('had a chunk', waiting);
  await settled('had none', pending);
  attempt('enqueue', () => controller.enqueue(1));
  attempt('close', () => controller.close());
  console.log(controller.desiredSize, stream.locked);
}
