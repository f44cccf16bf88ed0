exports.hook = (req, context, ee, next) => {
  console.log('say: timeout', req.timeout, 'method', req.method, 'uuid', typeof req.uuid, req.uuid && req.uuid.length, 'url', req.url.replace(/\d+/g, 'N'), typeof req.https);
  next();
};
