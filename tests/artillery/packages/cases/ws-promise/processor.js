const { WebSocket } = require('ws');
const { once } = require('node:events');

module.exports = {
  talk: async (context) => {
    const socket = new WebSocket(`${process.env.WS_BASE}/ws/echo`, { headers: { 'x-user': 'kim' } });
    await once(socket, 'open');
    const answers = [];
    for (const text of ['one', 'two', 'three']) {
      socket.send(text);
      const [data] = await once(socket, 'message');
      answers.push(String(data));
    }
    socket.terminate();
    context.vars.count = answers.length;
  },
};
