// @exit 104
// A threshold that cannot be read.
export const options = { thresholds: { http_req_duration: ['p95<500'] } };

export default function () {}
