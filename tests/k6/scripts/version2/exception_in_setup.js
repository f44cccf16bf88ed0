// What set-up throws is told with where it was.
// @exit 107
export function setup() {
  throw new Error('in set-up');
}

export default function () {}
