// Twenty starts in a second.
// @tolerance iterations 1
export const options = {
  scenarios: { s: { executor: 'constant-arrival-rate', rate: 20, duration: '1s', preAllocatedVUs: 20, maxVUs: 20 } },
};

export default function () {}
