// In which order start, pull, reads and promises come.
import { ReadableStream } from 'k6/experimental/streams';

export default async function () {
  const log = [];
  let n = 0;
  const stream = new ReadableStream({
    start() { log.push('start'); },
    pull(controller) { log.push('pull' + n); controller.enqueue(n++); if (n === 4) controller.close(); },
  }, { highWaterMark: 2 });
  log.push('made');
  Promise.resolve().then(() => log.push('tick1')).then(() => log.push('tick2')).then(() => log.push('tick3'));
  const reader = stream.getReader();
  reader.closed.then(() => log.push('closed'));
  const reads = [reader.read(), reader.read()];
  log.push('asked');
  reads[0].then((r) => log.push('read ' + r.value));
  reads[1].then((r) => log.push('read ' + r.value));
  await Promise.all(reads);
  log.push('both');
  for (let i = 0; i < 3; i++) {
    const { value, done } = await reader.read();
    log.push(`later ${value} ${done}`);
  }
  await reader.closed;
  console.log(log.join(', '));
}
