// @home-config data/home.json
// The configuration file of the home folder.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).json('headers.user-agent'));
}
