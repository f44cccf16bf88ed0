const axios = require('axios').default;

const clients = new Map();
const clientOf = (target) => {
  if (!clients.has(target)) {
    const client = axios.create({ baseURL: target, timeout: 5000, headers: { 'x-api': 'v1' } });
    client.interceptors.request.use((config) => { config.headers['x-traced'] = 'yes'; return config; });
    clients.set(target, client);
  }
  return clients.get(target);
};

exports.prepare = async (context) => {
  const { data } = await clientOf(context.vars.target).get('/anything/items', { params: { page: 2, tags: ['a', 'b'] } });
  context.vars.seen = data.url ? 'url' : 'none';
};

exports.fails = async (context) => {
  try {
    await clientOf(context.vars.target).get('/status/404');
  } catch (err) {
    console.log('say:', err.name, err.code, err.response.status);
  }
};
