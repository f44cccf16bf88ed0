const crypto = require('crypto');

exports.f = async (context) => {
  const key = crypto.scryptSync('password', 'salt', 16);
  const cipher = crypto.createCipheriv('aes-128-cbc', key, Buffer.alloc(16));
  context.vars.a = cipher.update('text', 'utf8', 'hex') + cipher.final('hex');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('text'));
  context.vars.b = Buffer.from(digest).toString('base64url');
  context.vars.c = crypto.createHmac('sha1', 'k').update('v').digest('base64');
};
