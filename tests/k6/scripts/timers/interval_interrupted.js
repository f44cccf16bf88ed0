// @limit 10s
// An interval nobody clears ends with the scenario.
export const options = { scenarios: { s: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '200ms' } } };

export default function () {
  setInterval(() => {}, 50);
  console.log('started');
}
