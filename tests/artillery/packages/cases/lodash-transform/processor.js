const _ = require('lodash');

module.exports = {
  pick: (req, res, context, events, next) => {
    const body = JSON.parse(res.body);
    context.vars.picked = _.pick(body, ['method']);
    context.vars.total = _.sumBy([{ n: 1 }, { n: 2 }, { n: 3.5 }], 'n');
    context.vars.groups = _.mapValues(_.groupBy(['one', 'two', 'three'], 'length'), (list) => list.length);
    next();
  },
};
