exports.hook = (req, context, ee, next) => { throw new Error('thrown in the hook'); };
