// A percentile is 0 to 100.
// @former-exit 0
// @exit 104
export const options = { thresholds: { http_req_duration: ['p(101)<500'] } };

export default function () {}
