// tlsAuth presents a client certificate.
import http from 'k6/http';

export const options = {
  tlsAuth: [{ domains: ['127.0.0.1'], cert: open('./client.pem'), key: open('./client.key') }],
};

export default function () {
  console.log(http.get(`${__ENV.MTLS_BASE}/get`).status);
}
