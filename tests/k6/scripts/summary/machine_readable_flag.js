// @args --new-machine-readable-summary
// @plain
// The flag of the new summary format is accepted.
export default function () {
  console.log('ran');
}
