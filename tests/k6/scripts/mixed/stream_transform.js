// A ReadableStream of chunks, read by hand and cancelled.
import { ReadableStream } from 'k6/experimental/streams';
function numbers(n, log) {
  let i = 0;
  return new ReadableStream({ pull(c) { if (i < n) c.enqueue({ i: i++ }); else c.close(); }, cancel(why) { log.push(`cancelled ${why}`); } });
}
export default async function () {
  const log = [];
  const reader = numbers(3, log).getReader();
  for (;;) { const { done, value } = await reader.read(); if (done) break; log.push(value.i); }
  const second = numbers(9, log).getReader();
  await second.read(); await second.cancel('enough');
  const broken = new ReadableStream({ start(c) { c.error(new Error('bad source')); } });
  try { await broken.getReader().read(); } catch (e) { log.push(e.message); }
  const s = numbers(1, log); s.getReader();
  try { s.getReader(); } catch (e) { log.push(e.name); }
  console.log(log.join(' | '), s.locked);
}
