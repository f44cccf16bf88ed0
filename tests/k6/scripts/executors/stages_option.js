// The stages option.
import { sleep } from 'k6';

export const options = { stages: [{ duration: '0s', target: 3 }, { duration: 1000, target: 3 }] };

export default function () {
  sleep(0.7);
}
