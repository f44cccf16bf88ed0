const crypto = require('node:crypto');
const { readFileSync } = require('fs');
const path = require('path');
let calls = 0;
module.exports = {
  setup(context, events, done) {
    context.vars.code = 201;
    context.vars.id = crypto.randomUUID();
    context.vars.text = readFileSync(path.join(__dirname, 'p.js'), 'utf8').length;
    calls++;
    events.emit('counter', 'mine.setup', 1);
    events.emit('counter', 'mine.first', calls === 1 ? 1 : 0);
    done();
  },
  slow: async function (context, events) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    events.emit('histogram', 'mine.histogram', 5);
    events.emit('rate', 'mine.rate');
  },
  change(req, context, ee, next) {
    req.headers = { 'X-Id': context.vars.id };
    req.url = `${req.url}?x=1`;
    next();
  },
  swap: async (req, context, ee) => { req.json = { b: 202 }; },
  look(req, res, context, ee, next) {
    ee.emit('counter', `mine.${res.statusCode}`, 1);
    ee.emit('counter', `mine.${Buffer.from('hi').toString('base64')}`, 1);
    next();
  },
  again(context, next) { next(context.vars.$loopCount < 3); },
  isTrue(vars) { return vars.code === 201; },
  isFalse() { return false; },
  boom(context, events, done) { const e = new Error('no'); e.code = 'EBOOM'; done(e); },
  wrap(context, events, done) { events.emit('counter', 'mine.wrap', 1); done(); },
};
