// iterations and iteration_duration.
import { sleep } from 'k6';

export const options = { iterations: 3, thresholds: { iterations: ['count==3'], iteration_duration: ['min>=100', 'max<1000'] } };

export default function () {
  sleep(0.12);
}
