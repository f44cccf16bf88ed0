// How much a controller says may still wait.
import { ReadableStream, CountQueuingStrategy } from 'k6/experimental/streams';
import { controlled } from './lib/show.js';

export default async function () {
  for (const mark of [0, 0.5, 1, 3, 100]) {
    const { stream, controller } = controlled(ReadableStream, {}, { highWaterMark: mark });
    const sizes = [controller.desiredSize];
    controller.enqueue('a');
    sizes.push(controller.desiredSize);
    controller.enqueue('b');
    sizes.push(controller.desiredSize);
    const reader = stream.getReader();
    await reader.read();
    sizes.push(controller.desiredSize);
    controller.close();
    sizes.push(controller.desiredSize);
    await reader.read();
    sizes.push(controller.desiredSize);
    console.log(mark, sizes.join());
  }
  const endless = controlled(ReadableStream, {}, { highWaterMark: Infinity }).controller;
  endless.enqueue(1);
  console.log(endless.desiredSize);
  const failed = controlled(ReadableStream).controller;
  failed.error('gone');
  console.log(failed.desiredSize);
  const counted = controlled(ReadableStream, {}, new CountQueuingStrategy({ highWaterMark: 4 })).controller;
  counted.enqueue({}); counted.enqueue([]);
  console.log(counted.desiredSize);
}
