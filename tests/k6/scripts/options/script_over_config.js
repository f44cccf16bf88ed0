// @args --config data/config.json
// The script wins over the configuration file.
import http from 'k6/http';

export const options = { iterations: 1 };

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).json('headers.user-agent'));
}
