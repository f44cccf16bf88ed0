// The former layout is gone.
// @former-exit 0
// @args --summary-mode=legacy
// @exit 255
export default function () {
  console.log('ran');
}
