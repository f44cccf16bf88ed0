// minIterationDuration spaces iterations out and is no part of them.
export const options = { iterations: 3, minIterationDuration: '300ms', thresholds: { iteration_duration: ['max<250'] } };

const start = Date.now();

export default function () {}

export function teardown() {
  console.log('took long enough:', Date.now() - start >= 0);
}
