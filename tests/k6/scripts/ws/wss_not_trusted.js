import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  console.log(ws.connect(`${__ENV.EXPIRED_BASE.replace('http', 'ws')}/ws/echo`, () => {}).error.includes('certificate'));
  console.log(ws.connect(`${__ENV.WRONGHOST_BASE.replace('http', 'ws')}/ws/echo`, () => {}).status);
}
