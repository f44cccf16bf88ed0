// @exit 104
export const options = {
  scenarios: { steady: { executor: 'constant-vu', vus: 1, duration: '1s' } },
};

export default function () {}
