exports.values = (context, ee, next) => {
  for (let i = 1; i <= 10; i++) ee.emit('histogram', 'ten', i < 10 ? 10 : 400);
  for (let i = 1; i <= 100; i++) ee.emit('histogram', 'hundred', i);
  for (const v of [1.26, 2.34]) ee.emit('histogram', 'two', v);
  for (const v of [-5, 0, 0.3, 7]) ee.emit('histogram', 'mixed', v);
  ee.emit('summary', 'one', 123456.789);
  ee.emit('rate', 'pace'); ee.emit('rate', 'pace');
  ee.emit('counter', 'sum', 2.5); ee.emit('counter', 'sum', -1);
  ee.emit('customStat', { stat: 'custom', value: 42 });
  next();
};
