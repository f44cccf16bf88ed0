// The exported options hold the consolidated values.
export const options = { vus: '2', iterations: 4, thresholds: { iterations: ['count==4'] }, tags: { a: 'b' } };

export default function () {
}

export function setup() {
  console.log(typeof options, options.tags.a, options.iterations);
}
