import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { throw: true };
export default function () {
  for (const url of ['ws://127.0.0.1:1/', `${W}/ws/reject/403`, 'http://127.0.0.1:1/']) {
    try { ws.connect(url, () => {}); console.log('connected'); } catch (e) { console.log(e.name, e.message); }
  }
}
