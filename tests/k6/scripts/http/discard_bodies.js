// discardResponseBodies drops bodies unless a request asks for one.
import http from 'k6/http';

export const options = { discardResponseBodies: true };

export default function () {
  const url = `${__ENV.BASE}/text/12`;
  console.log(http.get(url).body, http.get(url, { responseType: 'text' }).body);
  try {
    http.get(`${__ENV.BASE}/json`).json();
  } catch (error) {
    console.log('json() without a body:', error.message);
  }
}
