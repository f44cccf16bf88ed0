exports.one = (context, ee, next) => { context.vars.n = 1; next(); };
exports.two = async (context) => { context.vars.n += 1; };
exports.three = (context, ee, next) => { ee.emit('counter', 'ended', context.vars.n); ee.emit('rate', 'ends'); next(); };
exports.mark = (req, context, ee, next) => { req.headers['x-scenario'] = context.scenario.name; next(); };
exports.count = (req, res, context, ee, next) => { ee.emit('counter', `seen.${res.statusCode}`, 1); ee.emit('histogram', 'sizes', 7); next(); };
