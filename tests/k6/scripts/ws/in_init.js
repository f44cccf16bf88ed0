// @exit 107
import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
ws.connect(`${W}/ws/echo`, () => {});
export default function () {}
