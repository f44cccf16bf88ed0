// Only named functions, one per scenario.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', exec: 'main' } } };

export function main() {
  console.log('main ran');
}
