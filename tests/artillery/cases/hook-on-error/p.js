exports.note = (err, req, context, ee, next) => {
  console.log('say:', err.message, req.method, typeof req.url);
  ee.emit('counter', 'noted', 1);
  next();
};
