// @env K6_ITERATIONS=4
// @env K6_VUS=2
// The environment wins over the script.
export const options = { vus: 1, iterations: 10 };

export default function () {}
