// @exit 255
// A function within a map is refused, as anywhere else.
export function setup() {
  return new Map([['call', () => 1]]);
}

export default function () {
  console.log('never');
}
