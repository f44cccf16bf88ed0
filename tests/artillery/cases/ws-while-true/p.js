exports.more = (context, next) => next(context.vars.$loopCount < 3);
