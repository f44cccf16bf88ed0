// batch of an object answers under the same keys.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const answers = http.batch({
    front: `${__ENV.BASE}/anything/front`,
    list: { method: 'GET', url: `${__ENV.BASE}/anything/list` },
    save: ['POST', `${__ENV.BASE}/anything/save`, { a: 1 }],
  });
  console.log(Object.keys(answers).sort().join());
  check(answers.front, { 'front page': (r) => r.status === 200 });
  check(answers.save, { 'saved form': (r) => r.json('form.a.0') === '1' });
}
