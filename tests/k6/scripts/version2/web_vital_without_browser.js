// @exit 104
// Thresholds on metrics of the browser, which are not there until its module is imported.
export const options = { thresholds: { browser_web_vital_lcp: ['p(95)<100'], browser_web_vital_inp: ['p(95)<100'] } };
export default function () {}
