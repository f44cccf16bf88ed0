const axios = require('axios');

// Does not catch what axios throws: the user fails.
exports.load = async (context) => {
  await axios.get(`${context.vars.target}/status/500`);
};
