// @exit 107
// Setup that throws: no iterations, no teardown.
export function setup() {
  throw new Error('setup broke');
}

export default function () {
  console.log('never');
}

export function teardown() {
  console.log('never either');
}
