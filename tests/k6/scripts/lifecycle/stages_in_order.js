// init, setup, default, teardown, handleSummary: what runs when, and with which ids.
console.log('init', __VU, typeof __ITER);

export const options = { iterations: 2 };

export function setup() {
  console.log('setup', __VU);
  return { made: 'in setup' };
}

export default function (data) {
  console.log('iteration', __VU, __ITER, data.made);
}

export function teardown(data) {
  console.log('teardown', __VU, data.made);
}

export function handleSummary(data) {
  console.log('summary', data.setup_data.made);
  return {};
}
