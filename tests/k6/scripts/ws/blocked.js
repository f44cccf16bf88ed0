import ws from 'k6/ws';
const W = __ENV.BASE.replace('http', 'ws');
export const options = { blockHostnames: ['blocked.test'], hosts: { 'there.test': '127.0.0.1' } };
export default function () {
  const port = __ENV.BASE.split(':')[2];
  console.log(ws.connect(`ws://there.test:${port}/ws/echo`, (socket) => socket.close()).status);
  console.log(ws.connect('ws://blocked.test/', () => {}).error);
}
