// A stream has one writer at a time.
import { WritableStream } from 'k6/experimental/streams';

export default async function () {
  const stream = new WritableStream({}, { highWaterMark: 3, size: (chunk) => chunk.length });
  const writer = stream.getWriter();
  console.log(writer.desiredSize);
  try {
    stream.getWriter();
  } catch (error) {
    console.log(error.name);
  }
  for (const method of ['abort', 'close']) {
    try {
      await stream[method]();
    } catch (error) {
      console.log(method, error.name);
    }
  }
  writer.write('ab');
  console.log(writer.desiredSize);
  writer.releaseLock();
  try {
    await writer.write('c');
  } catch (error) {
    console.log(error.name);
  }
  await stream.close();
  try {
    await stream.close();
  } catch (error) {
    console.log(error.name);
  }
}
