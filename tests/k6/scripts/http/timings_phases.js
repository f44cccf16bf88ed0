// The phases of a slow answer: waiting holds the delay.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/delay/300`);
  const t = res.timings;
  console.log(t.waiting >= 290 && t.waiting < 1500, t.duration >= t.waiting, t.looking_up === 0, t.tls_handshaking === 0);
  const sum = t.sending + t.waiting + t.receiving;
  console.log(Math.abs(t.duration - sum) < 0.01);
  const again = http.get(`${__ENV.BASE}/get`);
  console.log('connection kept:', again.timings.connecting === 0);
}
