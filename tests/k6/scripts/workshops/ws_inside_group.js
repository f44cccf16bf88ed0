// @exit 99
// A socket in a group, beside an HTTP request, with custom metrics and a check in a handler.
import http from 'k6/http';
import ws from 'k6/ws';
import { check, group } from 'k6';
import { Trend, Rate } from 'k6/metrics';
const trip = new Trend('chat_trip', true);
const okay = new Rate('chat_ok');
export const options = { thresholds: { chat_ok: ['rate==1'], 'ws_msgs_received': ['count==4'], ws_sessions: ['count==2'] } };
const url = `${__ENV.BASE.replace('http', 'ws')}/ws/echo`;
export default function () {
  for (const room of ['red', 'blue']) {
    group(`room ${room}`, () => {
      const seen = [];
      const res = ws.connect(url, { tags: { room } }, function (socket) {
        let at;
        socket.on('open', () => { at = Date.now(); socket.send(room); });
        socket.on('message', (data) => {
          trip.add(Date.now() - at);
          seen.push(data);
          okay.add(check(data, { 'is mine': (d) => d.startsWith(room) }));
          if (seen.length === 2) return socket.close();
          http.get(`${__ENV.BASE}/get?from=${room}`);
          socket.send(`${room} again`);
        });
        socket.setInterval(() => seen.push('tick'), 60000);
      });
      console.log(res.status, seen.join());
    });
  }
  try { ws.connect('http://x', () => {}); } catch (e) { console.log('bad scheme', e.message ?? e); }
  try { ws.connect(url); } catch (e) { console.log('no function:', e.message ?? e); }
}
