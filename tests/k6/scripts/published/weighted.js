// Endpoints by weight.
import http from 'k6/http';
import { randomSeed, sleep } from 'k6';
import { Counter } from 'k6/metrics';

const hits = new Counter('hits');
const mix = [[0.7, '/get'], [0.2, '/json'], [0.1, '/html']];

export const options = {
  vus: 2,
  iterations: 20,
  thresholds: { hits: ['count==20'], http_req_failed: ['rate==0'] },
  tags: { test: 'weighted' },
};

randomSeed(7);

export default function () {
  let left = Math.random();
  const [, path] = mix.find(([weight]) => (left -= weight) <= 0) || mix[0];
  http.get(`${__ENV.BASE}${path}`, { tags: { name: 'mixed' } });
  hits.add(1, { path });
  sleep(0.01);
}
