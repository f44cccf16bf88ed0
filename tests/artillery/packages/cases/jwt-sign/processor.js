const jwt = require('jsonwebtoken');

const SECRET = 'not-a-secret';

function token(context, events, done) {
  context.vars.jwt = jwt.sign({ sub: 'user-1', iat: 1700000000, roles: ['reader'] }, SECRET, { algorithm: 'HS256' });
  return done();
}

function check(req, res, context, events, done) {
  const claims = jwt.verify(context.vars.jwt, SECRET);
  events.emit('counter', 'jwt.verified', claims.sub === 'user-1' ? 1 : 0);
  return done();
}

module.exports = { token, check };
