// @exit 107
// Init code that throws for users only.
if (__VU > 0) throw new Error('only for users');

export default function () {
  console.log('never');
}
