// What one visitor does at the service, as `capacity` loads it: looks at a content, at its places
// and at another content, with a moment in between.
//
//   loadline capacity examples/gate/session.js --slo 'p(95)<80ms' --export capacity.json
//
// [한국어] `capacity`가 부하로 쓰는 방문자 한 명의 행동: 콘텐츠 하나, 그 장소 목록, 다른 콘텐츠를 잠깐씩 쉬며 봅니다.
//
//   loadline capacity examples/gate/session.js --slo 'p(95)<80ms' --export capacity.json
import http from 'k6/http';
import { sleep } from 'k6';

const base = __ENV.BASE || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    sessions: { executor: 'constant-arrival-rate', rate: 1, timeUnit: '1s', duration: '1s', preAllocatedVUs: 400 },
  },
};

/** One session; `params` makes the parameters of each request. */
export function session(params) {
  const id = () => 1 + Math.floor(Math.random() * 3000);
  const first = id();
  http.get(`${base}/contents/${first}`, params());
  sleep(Math.random() * 0.6);
  http.get(`${base}/contents/${first}/places`, params());
  sleep(Math.random() * 0.6);
  http.get(`${base}/contents/${id()}`, params());
}

export default function () {
  session(() => ({ tags: { name: 'content' } }));
}
