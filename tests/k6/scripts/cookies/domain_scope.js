// A cookie's domain: sub-domains, foreign domains, host-only.
import http from 'k6/http';

const sorted = (object) => JSON.stringify(object, Object.keys(object).sort());

const target = __ENV.BASE.replace('http://', '');
export const options = { hosts: { 'example.test': target, '*.example.test': target } };

export default function () {
  http.get('http://www.example.test/cookies/set-attrs?name=wide&value=1&path=/&domain=example.test');
  http.get('http://www.example.test/cookies/set-attrs?name=narrow&value=1&path=/');
  http.get('http://www.example.test/cookies/set-attrs?name=foreign&value=1&path=/&domain=other.test');
  for (const host of ['www.example.test', 'example.test', 'api.example.test']) {
    console.log(host, sorted(http.get(`http://${host}/cookies`).json('cookies')));
  }
}
