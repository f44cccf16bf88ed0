import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const urls = ['ws://127.0.0.1:1/', `${W}/ws/reject/404`, `${W}/ws/bad-accept`];
  const next = () => {
    const url = urls.shift();
    if (!url) return;
    const ws = new WebSocket(url);
    ws.onopen = () => console.log('open');
    ws.onerror = (e) => console.log('error', e.error, Object.keys(e).join(), ws.readyState);
    ws.onclose = (e) => { console.log('close', e.code, JSON.stringify(e.reason), ws.readyState); next(); };
  };
  next();
}
