exports.listen = (context, ee, next) => {
  context.vars.seen = [];
  context.ws.on('message', (data) => { context.vars.seen.push(String(data)); ee.emit('counter', 'seen', 1); });
  context.ws.send('from the function', () => next());
};
exports.tell = (context, ee, next) => {
  console.log('say: ' + context.vars.seen.join(' / ') + ' ' + context.ws.readyState);
  context.ws.close();
  next();
};
