exports.stamp = (req, context, ee, next) => { context.vars.n = (context.vars.n || 0) + 1; next(); };
exports.count = (req, res, context, ee, next) => { ee.emit('counter', `seen.${context.vars.n}.${res.statusCode}`, 1); next(); };
exports.failed = (err, req, context, ee, next) => { ee.emit('counter', `failed.${err.code}`, 1); next(); };
