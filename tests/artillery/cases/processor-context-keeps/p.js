exports.set = (context, ee, done) => {
  context.vars.who = { name: 'kim', say() { return 'hello'; } };
  context.vars.list = ['a', 'b'];
  context.vars.when = new Date(0);
  context.secret = new Map([['k', 'v']]);
  done();
};
exports.look = (context, ee, done) => {
  console.log('say:', context.vars.who.say(), context.vars.when instanceof Date, context.secret.get('k'), typeof context.vars.$uuid, Object.keys(context.funcs || {}).length >= 0);
  done();
};
