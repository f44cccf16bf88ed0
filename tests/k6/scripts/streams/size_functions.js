// What size functions are called with, and what they may give.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt, controlled } from './lib/show.js';

export default async function () {
  const { stream, controller } = controlled(ReadableStream, {}, {
    highWaterMark: 10,
    size(chunk) {
      'use strict';
      console.log('size of', arguments.length, typeof chunk, this === undefined);
      return chunk === undefined ? 0 : chunk.length;
    },
  });
  controller.enqueue('four');
  controller.enqueue([1, 2]);
  controller.enqueue(undefined);
  controller.enqueue();
  console.log(controller.desiredSize);
  const reader = stream.getReader();
  for (let i = 0; i < 4; i++) {
    const { value } = await reader.read();
    console.log(typeof value, value === null, controller.desiredSize);
  }
  reader.read().then((r) => console.log('waited for', r.value));
  controller.enqueue('a read waits: no size is asked');
  await null;
  for (const size of [0, 0.25, 2, '3', null, true, { valueOf: () => 4 }]) {
    attempt(`size ${String(size)}`, () => {
      const { controller } = controlled(ReadableStream, {}, { highWaterMark: 10, size: () => size });
      controller.enqueue('x');
      return controller.desiredSize;
    });
  }
}
