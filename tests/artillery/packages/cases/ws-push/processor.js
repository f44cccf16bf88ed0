const WebSocket = require('ws');

// Opens a socket of its own beside the flow and waits for the echo.
exports.listen = (context, events, done) => {
  const socket = new WebSocket(process.env.WS_BASE + '/ws/echo');
  socket.on('open', () => socket.send('from the processor'));
  socket.on('message', (data) => {
    context.vars.heard = data.toString().length;
    socket.close();
  });
  socket.on('close', () => done());
  socket.on('error', (err) => done(err));
};
