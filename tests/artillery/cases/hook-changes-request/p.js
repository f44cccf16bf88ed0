exports.first = (req, context, ee, next) => {
  req.json.b = [2, { c: 3 }];
  req.headers['X-A'] = 'two';
  req.headers['x-new'] = 'y';
  next();
};
exports.second = async (req) => {
  req.json.d = typeof req.json.b;
  req.url = `${req.url}?changed=1`;
};
exports.other = (req, context, ee, next) => {
  req.qs = { a: 'b c', d: 5 };
  req.cookie = { session: 'abc' };
  return next();
};
