// Streams of a blob take its bytes, 1024 at a time.
import { Blob } from 'k6/websockets';
import { attempt, drain, settled } from './lib/show.js';

export default async function () {
  const blob = new Blob(['a'.repeat(1500), 'é']);
  const stream = blob.stream();
  console.log(blob.size, Object.keys(stream).join(), stream.locked, typeof stream.getReader);
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    console.log(blob.size, done, typeof value, value && value.length);
    if (done) break;
  }
  console.log(blob.size, JSON.stringify(await blob.text()), (await blob.arrayBuffer()).byteLength, (await blob.bytes()).length);
  const odd = new Blob([new Uint8Array([255, 254, 65, 0xe2, 0x82])]).stream().getReader();
  console.log([...(await odd.read()).value].map((c) => c.charCodeAt(0).toString(16)).join());
  const unread = new Blob(['hello']);
  unread.stream();
  console.log(unread.size);
  await null;
  await null;
  await null;
  console.log(unread.size, unread.slice(0, unread.size).size);
  const twice = new Blob(['hello']);
  const [first, second] = [twice.stream().getReader(), twice.stream().getReader()];
  console.log(JSON.stringify([(await first.read()).value, (await second.read()).value]));
  console.log(JSON.stringify(await drain(new Blob([]).stream().getReader())));
  attempt('byob', () => new Blob(['x']).stream().getReader({ mode: 'byob' }));
  const cancelled = new Blob(['y'.repeat(3000)]);
  const of = cancelled.stream();
  await null;
  await null;
  await settled('cancel', of.cancel('why'));
  console.log(cancelled.size);
}
