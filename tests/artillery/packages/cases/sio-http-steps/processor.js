exports.mark = (context, events, done) => {
  context.vars.mark = 'marked';
  done();
};
