// A long queue, read in bits while it grows.
import { ReadableStream } from 'k6/experimental/streams';

export default async function () {
  let made = 0;
  const stream = new ReadableStream({
    pull(controller) {
      for (let i = 0; i < 7 && made < 2000; i++) controller.enqueue(made++);
      if (made === 2000) controller.close();
    },
  }, { highWaterMark: 20 });
  const reader = stream.getReader();
  let sum = 0;
  let count = 0;
  let ordered = true;
  let last = -1;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    ordered = ordered && value === last + 1;
    last = value;
    sum += value;
    count++;
  }
  console.log(count, sum, ordered);
}
