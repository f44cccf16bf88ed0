// What is written comes in order, one after the other.
import { setTimeout } from 'k6/timers';
import { WritableStream, WritableStreamDefaultWriter } from 'k6/experimental/streams';

export default async function () {
  const stream = new WritableStream({
    start(controller) {
      console.log('start', typeof controller.error);
    },
    write(chunk) {
      console.log('write', chunk);
      return new Promise((resolve) => setTimeout(resolve, 5));
    },
    close() {
      console.log('close');
    },
  });
  console.log(stream.locked);
  const writer = stream.getWriter();
  console.log(stream.locked, writer instanceof WritableStreamDefaultWriter, writer.desiredSize);
  await writer.ready;
  const first = writer.write('a');
  const second = writer.write({ b: 1 });
  console.log(writer.desiredSize);
  await first;
  console.log('first');
  await second;
  console.log('second', writer.desiredSize);
  await writer.close();
  await writer.closed;
  console.log('closed', writer.desiredSize);
  writer.releaseLock();
  console.log(stream.locked);
}
