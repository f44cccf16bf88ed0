// Module variables belong to a user and last over its iterations.
let seen = 0;

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 3 } } };

export default function () {
  seen++;
  console.log(`seen ${seen} at ${__ITER}`);
}
