exports.dates = (context, ee, next) => { context.vars.made = new Date(86400000); context.vars.re = /a/g; context.vars.map = new Map([[1, 2]]); next(); };
