// @env K6_DISCARD_RESPONSE_BODIES=true
// @env K6_NO_COOKIES_RESET=true
// Switches from the environment.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  console.log(http.get(`${__ENV.BASE}/cookies/set?a=1`).body, Object.keys(http.cookieJar().cookiesForURL(__ENV.BASE)).join());
}
