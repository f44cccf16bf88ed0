// @exit 104
// @since 2.0
// A threshold on a metric that the browser no longer has.
export const options = { thresholds: { browser_web_vital_fid: ['p(95)<100'] } };
export default function () {}
