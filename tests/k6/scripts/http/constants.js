// Constants of k6/http.
import http from 'k6/http';

export default function () {
  console.log(http.TLS_1_0, http.TLS_1_1, http.TLS_1_2, http.TLS_1_3);
  console.log(http.OCSP_STATUS_GOOD, http.OCSP_STATUS_REVOKED, http.OCSP_STATUS_UNKNOWN, http.OCSP_STATUS_SERVER_FAILED);
  console.log(http.OCSP_REASON_UNSPECIFIED, http.OCSP_REASON_KEY_COMPROMISE);
}
