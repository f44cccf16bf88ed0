// @exit 107
// Teardown that throws.
export default function () {
  console.log('ran');
}

export function teardown() {
  throw new Error('teardown broke');
}
