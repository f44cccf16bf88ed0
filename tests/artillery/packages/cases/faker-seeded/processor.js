const { faker } = require('@faker-js/faker');

faker.seed(42);

function person(context, events, done) {
  faker.seed(42);
  context.vars.name = faker.person.firstName();
  context.vars.email = faker.internet.email({ firstName: 'kim', lastName: 'min', provider: 'example.com' });
  context.vars.city = faker.location.city();
  return done();
}

module.exports = { person };
