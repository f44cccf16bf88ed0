// data_sent and data_received count raw bytes.
import http from 'k6/http';

export const options = { thresholds: { data_received: ['count>100000', 'count<110000'], data_sent: ['count>50', 'count<1000'] } };

export default function () {
  http.get(`${__ENV.BASE}/big/100000`);
}
