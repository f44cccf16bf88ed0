exports.hook = async (req, res, context, ee) => { throw Object.assign(new Error('rejected after'), { code: 'EOWN' }); };
