exports.hook = (req, res, context, ee, next) => {
  console.log('say:', res.statusCode, res.statusMessage, res.httpVersion, typeof res.body, res.url && res.url.replace(/\d+/g, 'N'), res.headers['content-type'], Object.keys(res.timings.phases).sort().join(' '));
  console.log('say:', req.headers['user-agent'], req.timeout, typeof req.uuid, res.request ? 'request' : 'none');
  next();
};
