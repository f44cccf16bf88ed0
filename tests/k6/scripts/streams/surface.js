// What the module, streams, readers and controllers offer.
import streams, { ReadableStream, CountQueuingStrategy, ReadableStreamDefaultReader } from 'k6/experimental/streams';
import { controlled } from './lib/show.js';

export default function () {
  console.log(Object.keys(streams).sort().join());
  console.log(typeof ReadableStream, typeof CountQueuingStrategy, typeof ReadableStreamDefaultReader);
  const { stream, controller } = controlled(ReadableStream);
  console.log(Object.keys(stream).join(), JSON.stringify(stream), String(stream));
  console.log(typeof stream.cancel, typeof stream.getReader, typeof stream.tee, stream.locked, stream.source);
  console.log(Object.keys(controller).join(), Object.keys(Object.getPrototypeOf(controller)).join());
  console.log(controller.desiredSize, typeof controller.constructor, JSON.stringify(controller));
  const reader = stream.getReader();
  console.log(Object.keys(reader).join(), JSON.stringify(reader), reader.closed === reader.closed, stream.locked);
  console.log(reader instanceof ReadableStreamDefaultReader, Object.getPrototypeOf(reader) === Object.prototype);
  const strategy = new CountQueuingStrategy({ highWaterMark: 5 });
  console.log(Object.keys(strategy).join(), JSON.stringify(strategy), strategy.size('x'), strategy.size.length);
  console.log(strategy instanceof CountQueuingStrategy, ReadableStream.length, JSON.stringify(CountQueuingStrategy({ highWaterMark: 2 })));
}
