// @exit 104
// @plain
// Scenarios that are no object.
export const options = { scenarios: new Map([['s', {}]]) };

export default function () {
  console.log('never');
}
