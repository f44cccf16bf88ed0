// What cannot be an underlying source.
import { ReadableStream } from 'k6/experimental/streams';
import { attempt } from './lib/show.js';

export default function () {
  const values = [undefined, null, 1, 'x', true, () => 1, [1], new Date(0), new Map(), new Set(), new Error('x'), /a/, Promise.resolve(), new ArrayBuffer(2), new Uint8Array(2), Object.create(null), new Proxy({}, {}), new (class A {})(), new ReadableStream()];
  values.forEach((value, n) => attempt(`source ${n}`, () => new ReadableStream(value).locked));
  for (const type of ['bytes', 'x', '', null, undefined, 5, { toString: () => 'bytes' }]) {
    attempt(`type ${type === null ? 'null' : String(type)}`, () => new ReadableStream({ type }).locked);
  }
  for (const hook of ['start', 'pull', 'cancel']) {
    for (const value of [1, 'x', null, undefined, {}, []]) {
      attempt(`${hook} ${JSON.stringify(value)}`, () => new ReadableStream({ [hook]: value }).locked);
    }
    attempt(`${hook} getter`, () => new ReadableStream({ get [hook]() { throw new Error('no ' + hook); } }).locked);
  }
  attempt('type getter', () => new ReadableStream({ get type() { throw new Error('no type'); } }).locked);
  attempt('bytes with a size', () => new ReadableStream({ type: 'bytes' }, { size: 1 }));
  attempt('bytes with a mark', () => new ReadableStream({ type: 'bytes' }, { highWaterMark: -1 }));
  attempt('bytes and start', () => new ReadableStream({ type: 'bytes', start: 1 }));
  attempt('bad mark and start', () => new ReadableStream({ start: 1 }, { highWaterMark: -1 }));
  attempt('bad size and mark', () => new ReadableStream({}, { highWaterMark: -1, size: 1 }));
}
