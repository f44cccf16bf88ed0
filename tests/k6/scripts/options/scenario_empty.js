// @exit 104
// @plain
// A scenario that says nothing.
export const options = { scenarios: { s: {} } };

export default function () {
  console.log('never');
}
