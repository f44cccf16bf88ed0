// Options computed by the script.
import { sleep } from 'k6';

const stages = [1, 2].map((n) => ({ duration: '0s', target: n }));
export const options = { stages: stages.concat([{ duration: '1s', target: 2 }]) };

export default function () {
  if (__ITER === 0) console.log('vu started');
  sleep(0.7);
}
