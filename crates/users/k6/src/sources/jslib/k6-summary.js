// loadline's own k6-summary: the texts are the report's.
import { textSummary as legacyText } from 'loadline/k6-summary';

export function textSummary(data, options = {}) {
  return legacyText(data, options);
}

const TIMES = { s: [0.001, 's', 2], ms: [1, 'ms', 2], us: [1000, 'µs', 2] };

export function humanizeValue(value, metric, timeUnit) {
  if (metric.type === 'rate') return `${(Math.trunc(value * 10000) / 100).toFixed(2)}%`;
  if (metric.contains === 'data') return bytes(value);
  if (metric.contains === 'time') return TIMES[timeUnit] ? inUnit(value, TIMES[timeUnit]) : time(value);
  return shortest(value, 6);
}

function inUnit(millis, [factor, unit, digits]) {
  return (millis * factor).toFixed(digits) + unit;
}

function shortest(value, digits) {
  return String(Number(value.toFixed(digits)));
}

function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
  if (value < 10) return `${value} B`;
  const power = Math.min(Math.floor(Math.log(value) / Math.log(1000)), units.length - 1);
  const scaled = Math.floor((value / 1000 ** power) * 10 + 0.5) / 10;
  return `${scaled < 10 ? scaled.toFixed(1) : scaled.toFixed(0)} ${units[power]}`;
}

function time(millis) {
  if (millis === 0) return '0s';
  if (millis < 0.001) return `${Math.trunc(millis * 1000000)}ns`;
  if (millis < 1) return `${shortest(Math.trunc(millis * 100000) / 100, 2)}µs`;
  if (millis < 1000) return `${shortest(Math.trunc(millis * 100) / 100, 2)}ms`;
  const seconds = millis / 1000;
  let text = `${shortest(Math.trunc((seconds % 60) * 100) / 100, 2)}s`;
  if (seconds < 60) return text;
  const minutes = Math.trunc(seconds / 60);
  text = `${minutes % 60}m${Math.trunc(seconds % 60)}s`;
  return minutes < 60 ? text : `${Math.trunc(minutes / 60)}h${text}`;
}

const NAMED = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' };

function escaped(text) {
  return String(text).replace(/[<>&'"]/g, (character) => NAMED[character]);
}

// A test case for each threshold.
export function jUnit(data, options = {}) {
  const name = escaped(options.name || 'k6 thresholds');
  const cases = [];
  let failures = 0;
  for (const [metric, { thresholds = {} }] of Object.entries(data.metrics)) {
    for (const [expression, { ok }] of Object.entries(thresholds)) {
      const title = `${escaped(metric)} - ${escaped(expression)}`;
      if (ok) {
        cases.push(`<testcase name="${title}" />`);
      } else {
        failures += 1;
        cases.push(`<testcase name="${title}"><failure message="failed" /></testcase>`);
      }
    }
  }
  const counts = `tests="${cases.length}" failures="${failures}"`;
  return `<?xml version="1.0"?>\n<testsuites ${counts}>\n<testsuite name="${name}" ${counts}>${cases.join('\n')}\n</testsuite >\n</testsuites >`;
}
