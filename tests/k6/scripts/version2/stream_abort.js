// Aborting throws away what waits.
import { WritableStream } from 'k6/experimental/streams';

export default async function () {
  const stream = new WritableStream({
    abort(reason) {
      console.log('sink', reason);
    },
  });
  const writer = stream.getWriter();
  writer.closed.catch((error) => console.log('closed', error));
  await writer.abort('enough');
  try {
    await writer.write('x');
  } catch (error) {
    console.log('write', error);
  }
  console.log(stream.locked);
}
