exports.hook = (req, context, ee, next) => next(new Error('from the hook'));
