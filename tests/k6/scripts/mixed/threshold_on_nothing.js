// @exit 104
// A threshold on a metric that nobody makes.
export const options = { thresholds: { my_latency: ['p(95)<200'], http_req_duration: ['p95<200'] } };
export default function () {}
