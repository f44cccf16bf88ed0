// Setup returning text, numbers, arrays.
export function setup() {
  return ['a', 1, true, null];
}

export default function (data) {
  console.log(Array.isArray(data), data.length, data.join('|'));
}
