const template = require('lodash/template');
const get = require('lodash/get');

const greeting = template('Hello <%= name %>, you are number <%= n %>');

exports.greet = function (userContext, events, done) {
  userContext.vars.text = greeting({ name: get(userContext, 'vars.who.name', 'nobody'), n: 3 });
  return done();
};
