exports.place = (params, context, next) => {
  params.target = params.target + '?from=function';
  params.options.headers = { 'x-own': 'made' };
  next();
};
