// @exit 0
// handleSummary that breaks.
import http from 'k6/http';
export default function () { http.get(`${__ENV.BASE}/get`); }
export function handleSummary(data) { return { stdout: data.metrics.nothing.values.count }; }
