exports.f = function (context, ee, next) {
  context.vars.o = { a: [1, 'two'] };
  const { template } = global.artillery.util;
  console.log('say:', template('{{ n }}', context) === 5, template('<{{ o }}|{{ o.a[1] }}|{{ none }}>', context));
  console.log('say:', JSON.stringify(template({ '{{ key }}': ['{{ n }}', 'n{{ n }}'], fixed: true }, context)));
  context.vars.t = template('/anything/{{ key }}', context);
  next();
};
