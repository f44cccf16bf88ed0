const told = ['defaultName', 'method', 'timeout', 'followRedirect', 'decompress', 'throwHttpErrors', 'retry', 'https'];
const tell = (when, req) => {
  const members = told.map((name) => `${name}=${JSON.stringify(req[name])}`);
  console.log(`say: ${when} ${members.join(' ')}`);
};
exports.before = (req, context, events, done) => {
  tell('before', req);
  console.log(`say: ${typeof context.vars.$env} ${typeof context.vars.$processEnvironment} ${context.vars.$environment}`);
  done();
};
exports.after = (req, res, context, events, done) => {
  tell('after', req);
  done();
};
