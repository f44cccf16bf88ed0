// Counts calls of this instance of the module.
let calls = 0;

module.exports = {
  count(context, events, done) {
    calls += 1;
    context.vars.count = calls;
    return done();
  },
};
