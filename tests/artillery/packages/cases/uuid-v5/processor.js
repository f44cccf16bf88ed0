const { v4: uuidv4, v5: uuidv5, validate } = require('uuid');

const SPACE = '1b671a64-40d5-491e-99b0-da01ff1f3341';

exports.ids = (context, ee, done) => {
  context.vars.stable = uuidv5('user', SPACE);
  context.vars.valid = validate(uuidv4());
  done();
};
