// A jump and a slope from nothing.
// @tolerance iterations 1
export const options = {
  scenarios: {
    s: {
      executor: 'ramping-arrival-rate',
      startRate: 0,
      timeUnit: '1s',
      preAllocatedVUs: 30,
      stages: [{ duration: '1s', target: 20 }, { duration: '0s', target: 50 }, { duration: '1s', target: 50 }],
    },
  },
};

export default function () {}
