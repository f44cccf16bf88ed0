const dayjs = require('dayjs');
const utc = require('dayjs/plugin/utc');

dayjs.extend(utc);

function range(context, events, done) {
  const start = dayjs.utc('2024-02-28T23:30:00Z');
  context.vars.from = start.format('YYYY-MM-DD');
  context.vars.to = start.add(1, 'day').endOf('month').toISOString();
  context.vars.days = start.diff(dayjs.utc('2024-01-01'), 'day');
  done();
}

module.exports = { range };
