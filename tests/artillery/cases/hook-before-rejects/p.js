exports.hook = async (req, context, ee) => { throw new Error('rejected in the hook'); };
