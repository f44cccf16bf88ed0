// k6/experimental of version 2: fs, csv and streams together.
import { open as openFile, SeekMode } from 'k6/experimental/fs';
import csv from 'k6/experimental/csv';
import { ReadableStream } from 'k6/experimental/streams';
const file = await openFile('./data/users.csv');
const rows = await csv.parse(file, { delimiter: ',', skipFirstLine: true });
const objects = await csv.parse(await openFile('./data/users.csv'), { asObjects: true });
const reader = new csv.Parser(await openFile('./data/users.csv'), { fromLine: 1, toLine: 2 });
export default async function () {
  console.log(rows.length, JSON.stringify(rows[0]), JSON.stringify(objects[1]));
  for (let r = await reader.next(); !r.done; r = await reader.next()) console.log(JSON.stringify(r.value));
  const info = await file.stat();
  await file.seek(0, SeekMode.Start);
  const part = new Uint8Array(9);
  const n = await file.read(part);
  console.log(info.name, info.size, n, String.fromCharCode(...part));
  try { await file.seek(-5, SeekMode.Start); } catch (e) { console.log(e.name, e.message ?? e); }
  const s = new ReadableStream({ start(c) { c.enqueue('a'); c.enqueue({ b: 1 }); c.close(); } }, { highWaterMark: 3 });
  const rd = s.getReader();
  const got = [];
  for (;;) { const { value, done } = await rd.read(); if (done) break; got.push(value); }
  console.log(JSON.stringify(got), s.locked);
  try { s.getReader(); } catch (e) { console.log(e.name, e.message ?? e); }
}
