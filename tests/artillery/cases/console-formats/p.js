exports.talk = (context, ee, next) => {
  console.log('say: %s is %d or %i, %j%%', 'x', 4.5, 4.5, { a: 1 }, 'more', 7);
  console.info('say: info', true, undefined, null);
  console.warn('say: warn %s', 'w');
  console.error('say: error', 5);
  console.debug('say: debug %f', '1.5');
  process.stdout.write('say: out\n');
  process.stderr.write('say: err\n');
  next();
};
