// The newer socket: listeners, ready states, close by us, a promise around it.
import { WebSocket } from 'k6/websockets';
import { setTimeout } from 'k6/timers';
import { check } from 'k6';
const url = `${__ENV.BASE.replace('http', 'ws')}/ws/echo`;
function talk(text) {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, null, { tags: { kind: 'talk' } });
    ws.binaryType = 'arraybuffer';
    const seen = [ws.readyState];
    ws.addEventListener('open', (e) => { seen.push(e.type, ws.readyState); ws.send(text); ws.send(new Uint8Array([9]).buffer); });
    ws.addEventListener('message', (e) => { seen.push(typeof e.data === 'string' ? e.data : new Uint8Array(e.data).join()); if (seen.length > 4) ws.close(1000, 'done'); });
    ws.addEventListener('close', (e) => { seen.push(e.type, e.code, e.reason, ws.readyState); resolve(seen); });
    ws.addEventListener('error', (e) => reject(e));
  });
}
export default async function () {
  console.log((await talk('one')).join());
  const both = await Promise.all([talk('two'), talk('three')]);
  check(both, { both: (b) => b.length === 2 });
  console.log(both.map((b) => b.join()).sort().join(' / '));
  await new Promise((r) => setTimeout(r, 10));
  try { new WebSocket('http://nope'); } catch (e) { console.log(String(e)); }
  try { new WebSocket(); } catch (e) { console.log(String(e)); }
}
