// Date.now overridden in init code.
Date.now = () => 42;
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  console.log(`${__VU}:${__ITER}`, Date.now(), new Date(0).toISOString());
}
