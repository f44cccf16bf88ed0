import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  const url = `${W}/ws/echo`;
  const tries = [() => ws.connect(url), () => ws.connect(url, {}), () => ws.connect(url, {}, 5), () => ws.connect(url, {}, () => {}, 1),
    () => ws.connect(), () => ws.connect(url, { tags: { a: {} } }, () => {}), () => ws.connect(url, { compression: 'gzip' }, () => {})];
  for (const attempt of tries) {
    try { console.log(typeof attempt()); } catch (e) { console.log(`${e}`); }
  }
}
