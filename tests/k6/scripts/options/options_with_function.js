// @exit 255
// A function among the options cannot be sent on.
export const options = { iterations: 1, helper: () => 1 };

export default function () {
  console.log('ran');
}
