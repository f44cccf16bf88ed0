exports.boom = (context, ee, next) => { throw new Error('boom'); };
