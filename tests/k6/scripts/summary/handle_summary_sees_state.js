// handleSummary runs in a fresh runtime.
let counter = 0;

export const options = { iterations: 3 };

export default function () {
  counter++;
}

export function handleSummary() {
  console.log(counter, __VU, typeof __ITER, __ENV.BASE.startsWith('http'));
  return {};
}
