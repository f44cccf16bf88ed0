// Setup data: each user has its copy, which it keeps between iterations.
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };

export function setup() {
  return { list: [1], n: 0 };
}

export default function (data) {
  data.n++;
  data.list.push(data.n);
  console.log(`iteration ${__ITER}: n=${data.n} list=${data.list.join()}`);
}

export function teardown(data) {
  console.log(`teardown: n=${data.n} list=${data.list.join()}`);
}
