// @args --config data/config.json
// A configuration file sets what nobody else sets.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).json('headers.user-agent'));
}
