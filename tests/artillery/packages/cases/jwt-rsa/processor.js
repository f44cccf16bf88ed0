const { generateKeyPairSync } = require('node:crypto');
const jwt = require('jsonwebtoken');

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

exports.login = (context, ee, done) => {
  const token = jwt.sign({ sub: 'kim' }, privateKey, { algorithm: 'RS256', expiresIn: '1h' });
  try {
    jwt.verify(token + 'x', publicKey);
  } catch (err) {
    console.log('say:', err.name, err.message);
  }
  context.vars.kind = jwt.decode(token, { complete: true }).header.alg;
  done();
};
