// @args --iterations 3 --vus 3
// A flag wins over the script.
export const options = { vus: 1, iterations: 10 };

export default function () {}
