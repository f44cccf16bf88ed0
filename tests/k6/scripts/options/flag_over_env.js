// @args --iterations 2
// @env K6_ITERATIONS=4
// A flag wins over the environment.
export const options = { iterations: 10 };

export default function () {}
