exports.boom = async (context, ee) => { throw new Error('boom'); };
