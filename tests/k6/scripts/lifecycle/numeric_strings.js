// Numbers given as text, as environment variables are.
export const options = {
  scenarios: { s: { executor: 'shared-iterations', vus: `${__ENV.V || 2}`, iterations: `${__ENV.N || 6}`, maxDuration: '10s' } },
};

export default function () {}
