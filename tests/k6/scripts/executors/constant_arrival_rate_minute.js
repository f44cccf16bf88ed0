// A rate per minute.
// @tolerance iterations 1
export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 600, timeUnit: '1m', duration: '1500ms', preAllocatedVUs: 20 } },
};

export default function () {}
