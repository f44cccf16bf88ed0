// High water marks and strategies, as streams and CountQueuingStrategy take them.
import { ReadableStream, CountQueuingStrategy } from 'k6/experimental/streams';
import { attempt, controlled } from './lib/show.js';

export default function () {
  for (const mark of [NaN, -1, -0.5, '5', 'x', true, null, undefined, Infinity, 0, -0, 0.5, { valueOf: () => 4 }, []]) {
    attempt(`stream ${String(mark)}`, () => controlled(ReadableStream, {}, { highWaterMark: mark }).controller.desiredSize);
    attempt(`strategy ${String(mark)}`, () => new CountQueuingStrategy({ highWaterMark: mark }).highWaterMark);
  }
  for (const size of [1, 'x', null, undefined, {}, () => 2]) {
    attempt(`size ${typeof size} ${size === null}`, () => {
      const { controller } = controlled(ReadableStream, {}, { highWaterMark: 10, size });
      controller.enqueue('a');
      return controller.desiredSize;
    });
  }
  const values = [undefined, null, 1, 'x', true, () => 1, [1], new Map(), new Set(), new Error('x'), /a/, Promise.resolve(), new ArrayBuffer(2), new Uint8Array(2), Object.create(null), new Proxy({}, {})];
  values.forEach((value, n) => {
    attempt(`${n} as strategy`, () => new ReadableStream({}, value).locked);
    attempt(`${n} as argument`, () => new CountQueuingStrategy(value));
  });
  attempt('none', () => new CountQueuingStrategy());
  attempt('two', () => new CountQueuingStrategy({ highWaterMark: 1 }, 2));
  const strategy = {};
  new ReadableStream({}, strategy);
  console.log(JSON.stringify(strategy));
  attempt('mark throws', () => new ReadableStream({}, { get highWaterMark() { throw new Error('no mark'); } }));
  attempt('size throws', () => new ReadableStream({}, { get size() { throw new Error('no size'); } }));
  const fixed = new CountQueuingStrategy({ highWaterMark: 3, size: () => 7 });
  attempt('own size is not taken', () => fixed.size());
  attempt('mark is fixed', () => { 'use strict'; try { fixed.highWaterMark = 9; } catch (e) { return [e instanceof TypeError, fixed.highWaterMark]; } });
}
