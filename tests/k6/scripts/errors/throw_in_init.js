// @exit 107
// Init code that throws.
function deeper() {
  throw new Error('init went wrong');
}
deeper();

export default function () {}
