// per-vu-iterations: so many for each.
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 4, iterations: 5 } } };

export default function () {
  console.log(`iteration ${__ITER}`);
}
