// The words for answers that are no HTTP.
import http from 'k6/http';

export default function () {
  for (const path of ['garbage', 'bad-status', 'bad-header', 'bad-length']) {
    console.log(path, http.get(`${__ENV.RAW_BASE}/${path}`).error);
  }
}
