// A CSV file split into rows, picked by user and iteration.
import { SharedArray } from 'k6/data';

const rows = new SharedArray('rows', () =>
  open('./data/users.csv').trim().split('\n').slice(1).map((line) => {
    const [id, name] = line.split(',');
    return { id: Number(id), name };
  }),
);

export const options = { iterations: 5 };

export default function () {
  const row = rows[__ITER % rows.length];
  console.log(row.id, row.name);
}
