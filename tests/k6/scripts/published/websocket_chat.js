// A conversation over WebSocket.
import { WebSocket } from 'k6/websockets';
import { check } from 'k6';
import { setTimeout } from 'k6/timers';
import { Trend } from 'k6/metrics';

const answered = new Trend('answered', true);

export default function () {
  const ws = new WebSocket(`${__ENV.BASE.replace('http', 'ws')}/ws/echo`);
  const said = ['hello', 'how are you', 'bye'];
  const heard = [];
  let at = 0;
  ws.addEventListener('open', () => {
    at = Date.now();
    said.forEach((text) => ws.send(text));
    setTimeout(() => ws.close(), 1000);
  });
  ws.addEventListener('message', (event) => {
    heard.push(event.data);
    answered.add(Date.now() - at);
    if (heard.length === said.length) {
      check(heard, { 'all came back': (texts) => texts.join() === said.join() });
      ws.close();
    }
  });
  ws.addEventListener('close', () => console.log('closed'));
}
