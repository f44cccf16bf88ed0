// A percentile is a number.
// @former-exit 0
// @exit 104
export const options = { thresholds: { http_req_duration: ['p(NaN)<500'] } };

export default function () {}
