import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const tries = [() => new WebSocket(), () => new WebSocket(null), () => new WebSocket('http://h/'), () => new WebSocket('nothing'),
    () => new WebSocket('ws://h/#part'), () => new WebSocket(`${W}/`, null, { other: 1 }), () => new WebSocket(`${W}/`, null, { compression: '' }),
    () => new WebSocket(`${W}/`, null, { compression: 'gzip' }), () => new WebSocket(`${W}/`, null, { tags: { a: [] } })];
  for (const attempt of tries) {
    try { attempt(); console.log('made'); } catch (e) { console.log(`${e}`); }
  }
}
