// Stands in for https://jslib.k6.io/k6-summary/ when results are recorded, because k6 cannot fetch it there.
// The text comes from k6's own legacy summary, which `record-k6 --summary-source` copies beside this file.
import oracle from './oracle.cjs.js';

export function humanizeValue(value, metric, unit) {
  return oracle.humanizeValue(value, metric, unit);
}

export function textSummary(data, options) {
  return oracle.textSummary(data, options);
}

// Our own words for the well-known document: one test case per threshold.
export function jUnit(data, options) {
  const name = (options && options.name) || 'k6 thresholds';
  const escape = (text) => text.replace(/[<>&'"]/g, (c) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' })[c]);
  let failures = 0;
  const cases = [];
  Object.keys(data.metrics).forEach((metric) => {
    const thresholds = data.metrics[metric].thresholds;
    Object.keys(thresholds || {}).forEach((expression) => {
      const title = `${escape(metric)} - ${escape(expression)}`;
      if (thresholds[expression].ok) {
        cases.push(`<testcase name="${title}" />`);
      } else {
        failures++;
        cases.push(`<testcase name="${title}"><failure message="failed" /></testcase>`);
      }
    });
  });
  return `<?xml version="1.0"?>\n<testsuites tests="${cases.length}" failures="${failures}">\n<testsuite name="${escape(name)}" tests="${cases.length}" failures="${failures}">${cases.join('\n')}\n</testsuite >\n</testsuites >`;
}
