// @exit 255
// A function in setup data cannot be sent to the users.
export function setup() {
  return { call: () => 1 };
}

export default function () {
  console.log('never');
}
