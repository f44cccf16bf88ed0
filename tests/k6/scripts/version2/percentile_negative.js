// A percentile is not negative.
// @former-exit 0
// @exit 104
export const options = { thresholds: { http_req_duration: ['p(-1)<500'] } };

export default function () {}
