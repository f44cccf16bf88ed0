// Fifty thousand records.
import { SharedArray } from 'k6/data';

const big = new SharedArray('big', () => Array.from({ length: 50000 }, (_, i) => ({ id: i, text: `row ${i}` })));

export const options = { vus: 5, iterations: 10 };

export default function () {
  const row = big[49999];
  if (row.text !== 'row 49999') throw new Error('wrong row');
}
