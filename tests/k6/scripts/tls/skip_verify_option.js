// @trust none
// insecureSkipTLSVerify accepts them all.
import http from 'k6/http';

export const options = { insecureSkipTLSVerify: true };

export default function () {
  for (const base of [__ENV.TLS_BASE, __ENV.EXPIRED_BASE, __ENV.WRONGHOST_BASE]) console.log(http.get(`${base}/get`).status);
}
