// arguments that seek refuses.
import fs, { SeekMode } from 'k6/experimental/fs';

const file = await fs.open('data/text.txt');
export default async function () {
  console.log(Object.keys(SeekMode).sort().map((mode) => `${mode} ${SeekMode[mode]}`).join());
  for (const given of [[], [1], [null, 0], [1, null], ['1', 0], [1, '0'], [1.5, 0], [1, 0.5], [1, 3], [1, -1], [{}, 0], [true, 0], [NaN, 0]]) {
    try { console.log(JSON.stringify(given), await file.seek(...given)); } catch (e) { console.log(JSON.stringify(given), e instanceof Error, e.name, e.message, JSON.stringify(e), Object.keys(e).join()); }
  }
}
