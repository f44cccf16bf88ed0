// No user is refused.
// @former-exit 0
// @args --vus 0
// @exit 104
export default function () {}
