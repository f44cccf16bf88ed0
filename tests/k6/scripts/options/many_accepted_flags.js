// @args --batch 10 --batch-per-host 3 --no-usage-report --compatibility-mode extended --dns ttl=1m,select=first,policy=preferIPv4 --min-iteration-duration 10ms --no-color --traces-output none --log-output stderr --log-format text
// Flags that change little are accepted.
import http from 'k6/http';

export default function () {
  console.log(http.get(`${__ENV.BASE}/get`).status);
}
