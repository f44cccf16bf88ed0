// Requests inside groups carry the group's tag.
import http from 'k6/http';
import { group } from 'k6';

export const options = {
  thresholds: { 'http_reqs{group:::front}': ['count==2'], 'http_reqs{group:::front::deep}': ['count==1'] },
};

export default function () {
  http.get(`${__ENV.BASE}/get`);
  group('front', () => {
    http.get(`${__ENV.BASE}/get`);
    http.get(`${__ENV.BASE}/get`);
    group('deep', () => http.get(`${__ENV.BASE}/get`));
  });
}
