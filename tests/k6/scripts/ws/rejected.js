import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  for (const status of [200, 302, 400, 401, 404, 500, 503]) {
    const res = ws.connect(`${W}/ws/reject/${status}`, () => console.log('never'));
    console.log(res.status, JSON.stringify(res.body), res.headers['X-Reason'], res.url, JSON.stringify(res.error));
  }
}
