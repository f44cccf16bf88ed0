import { WebSocket } from 'k6/websockets';
const W = __ENV.BASE.replace('http', 'ws');
const connect = (path) => new Promise((resolve, reject) => {
  const ws = new WebSocket(`${W}${path}`);
  ws.onopen = () => resolve(ws);
  ws.onerror = (e) => reject(new Error(e.error));
});
const answer = (ws, text) => new Promise((resolve) => { ws.onmessage = (e) => resolve(e.data); ws.send(text); });
export default async function () {
  const ws = await connect('/ws/echo');
  console.log(await answer(ws, 'one'));
  console.log(await answer(ws, 'two'));
  ws.close();
  try { await connect('/ws/reject/500'); } catch (e) { console.log(e.message); }
}
