import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export default function () {
  ws.connect(`${W}/ws/greet`, (outer) => {
    outer.on('message', (m) => {
      console.log('outer', m);
      ws.connect(`${W}/ws/greet`, (inner) => {
        inner.on('message', (n) => { console.log('inner', n); inner.close(); });
      });
      outer.close();
    });
  });
}
