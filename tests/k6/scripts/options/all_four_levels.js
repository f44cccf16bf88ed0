// @args --config data/config.json --max-redirects 1
// @env K6_MAX_REDIRECTS=2
// @env K6_USER_AGENT=from-env/1
// Flag over environment over script over configuration file.
import http from 'k6/http';

export const options = { maxRedirects: 5, userAgent: 'from-script/1', iterations: 1 };

export default function () {
  console.log(http.get(`${__ENV.BASE}/redirect/8`).url, http.get(`${__ENV.BASE}/get`).json('headers.user-agent'));
}
