const axios = require('axios');

// Logs in once per user and keeps the token for the flow.
async function login(context) {
  const answer = await axios.post(`${context.vars.target}/anything/login`, { user: 'kim', password: 'secret' }, {
    headers: { 'x-client': 'load-test' },
  });
  context.vars.token = answer.data.method + answer.status;
  console.log('say: login', answer.status, answer.data.method);
}

module.exports = { login };
