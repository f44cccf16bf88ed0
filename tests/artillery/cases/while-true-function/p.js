exports.more = (context, next) => {
  context.vars.turns = (context.vars.turns || 0) + 1;
  return next(context.vars.turns < 3);
};
exports.often = (vars) => vars.turns === 3;
