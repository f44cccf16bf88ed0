// Functions of sources and strategies that use the stream they work for.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt, controlled, settled } from './lib/show.js';

export default async function () {
  let inside;
  const made = controlled(ReadableStream, {}, { highWaterMark: 5, size(chunk) { return inside ? inside(chunk) : 1; } });
  inside = (chunk) => { if (chunk === 'outer') made.controller.enqueue('inner'); return 1; };
  made.controller.enqueue('outer');
  const reader = made.stream.getReader();
  console.log((await reader.read()).value, (await reader.read()).value, made.controller.desiredSize);

  const closing = controlled(ReadableStream, {}, { size() { closing.controller.close(); return 1; } });
  attempt('close in size', () => closing.controller.enqueue('x'));
  await settled('read', closing.stream.getReader().read());

  const failing = controlled(ReadableStream, {}, { size() { failing.controller.error(new Error('inside')); return 1; } });
  attempt('error in size', () => failing.controller.enqueue('x'));
  await settled('read', failing.stream.getReader().read());

  const cancelling = controlled(ReadableStream, { cancel(reason) { console.log('told', reason); attempt('close', () => cancelling.controller.close()); attempt('error', () => cancelling.controller.error(1)); } });
  await settled('cancel', cancelling.stream.cancel('x'));

  let n = 0;
  const greedy = new ReadableStream({ pull(c) { n++; c.enqueue(n); c.enqueue(-n); if (n === 3) c.close(); } }, { highWaterMark: 4 });
  const values = [];
  const g = greedy.getReader();
  for (let r = await g.read(); !r.done; r = await g.read()) values.push(r.value);
  console.log(values.join(), n);

  const own = new ReadableStream({ start(c) { attempt('enqueue in start', () => c.enqueue(1)); attempt('close in start', () => c.close()); attempt('close twice', () => c.close()); } });
  await settled('first', own.getReader().read());
}
