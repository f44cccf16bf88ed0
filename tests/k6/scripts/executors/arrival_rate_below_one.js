// @exit 104
// A rate below one.
export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 0.5, duration: '1s', preAllocatedVUs: 1 } },
};

export default function () {}
