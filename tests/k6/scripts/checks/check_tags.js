// Tags of a check make sub-metrics.
import { check } from 'k6';

export const options = {
  iterations: 3,
  thresholds: { 'checks{area:login}': ['rate>0.9'], 'checks{area:search}': ['rate<0.5'], 'checks{check:named}': ['rate==1'] },
};

export default function () {
  check(1, { 'logged in': (v) => v === 1 }, { area: 'login' });
  check(1, { 'found it': (v) => v === 2 }, { area: 'search' });
  check(1, { named: () => true });
}
