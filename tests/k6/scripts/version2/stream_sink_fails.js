// A sink that fails errors the stream.
import { WritableStream } from 'k6/experimental/streams';

export default async function () {
  const stream = new WritableStream({
    write() {
      throw new Error('full');
    },
  });
  const writer = stream.getWriter();
  writer.closed.catch((error) => console.log('closed', error.message));
  for (const chunk of ['a', 'b']) {
    try {
      await writer.write(chunk);
      console.log('written');
    } catch (error) {
      console.log(chunk, error.message);
    }
  }
  try {
    await writer.close();
  } catch (error) {
    console.log('close', error.message);
  }
}
