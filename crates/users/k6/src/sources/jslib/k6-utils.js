// loadline's own k6-utils: the functions its documentation describes.
import { check as k6check } from 'k6';
import exec from 'k6/execution';

export function randomIntBetween(min, max) {
  return min + Math.floor(Math.random() * (max - min + 1));
}

export function randomItem(items) {
  return items[Math.floor(Math.random() * items.length)];
}

export function randomString(length, charset = 'abcdefghijklmnopqrstuvwxyz') {
  let text = '';
  for (let i = 0; i < length; i++) text += charset[Math.floor(Math.random() * charset.length)];
  return text;
}

export function uuidv4() {
  const digits = [];
  for (let i = 0; i < 32; i++) digits.push(Math.floor(Math.random() * 16));
  digits[12] = 4;
  digits[16] = 8 + (digits[16] % 4);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => hex.slice(from, to)).join('-');
}

// What stands between two texts: the first such part, or all of them with `repeat`.
export function findBetween(content, left, right, repeat = false) {
  const found = [];
  let place = content.indexOf(left);
  while (place >= 0) {
    const start = place + left.length;
    const end = content.indexOf(right, start);
    if (end < 0) break;
    found.push(content.slice(start, end));
    if (!repeat) return found[0];
    place = content.indexOf(left, end + right.length);
  }
  return repeat ? found : null;
}

// Stages that follow a bell curve from the left foot over the peak to the right foot.
export function normalDistributionStages(maxVus, durationSeconds, numberOfStages = 10) {
  const points = numberOfStages + 2;
  const seconds = Math.ceil(durationSeconds / points);
  return Array.from({ length: points }, (_, index) => {
    const x = -2 + (4 * index) / (points - 1);
    return { duration: `${index === 0 ? 0 : seconds}s`, target: Math.ceil(maxVus * Math.exp(-0.5 * x * x)) };
  });
}

const UNITS = { d: 86400000, h: 3600000, m: 60000, s: 1000, ms: 1 };

// Milliseconds of a text such as '1m30s'; a bare number is milliseconds.
export function parseDuration(text) {
  if (text === undefined || text === null || text.length < 1) throw new Error('str is empty');
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = String(text).match(/\d+(\.\d+)?(ms|[dhms])/g);
  if (!parts || parts.join('') !== String(text)) throw new Error(`${text} is an invalid time duration`);
  return parts.reduce((sum, part) => {
    const [, number, , unit] = /^(\d+(\.\d+)?)(\D+)$/.exec(part);
    return sum + Number(number) * UNITS[unit];
  }, 0);
}

function stages() {
  const scenario = exec.test.options.scenarios[exec.scenario.name];
  const { executor } = scenario;
  if (executor !== 'ramping-vus' && executor !== 'ramping-arrival-rate') {
    throw new Error(`the executor ${executor} has no stages; only ramping-vus and ramping-arrival-rate have`);
  }
  if (!scenario.stages || scenario.stages.length < 1) throw new Error('the scenario has no stages');
  return scenario.stages;
}

export function getCurrentStageIndex() {
  const all = stages();
  const passed = Date.now() - exec.scenario.startTime;
  let end = 0;
  for (let index = 0; index < all.length; index++) {
    end += parseDuration(all[index].duration);
    if (passed < end) return index;
  }
  return all.length - 1;
}

export function tagWithCurrentStageIndex() {
  exec.vu.tags.stage = getCurrentStageIndex();
}

export function tagWithCurrentStageProfile() {
  exec.vu.tags.stage_profile = stageProfile();
}

function stageProfile() {
  const all = stages();
  const index = getCurrentStageIndex();
  const scenario = exec.test.options.scenarios[exec.scenario.name];
  const first = scenario.startVUs ?? scenario.startRate ?? 0;
  const before = index === 0 ? first : all[index - 1].target;
  const { target } = all[index];
  if (target > before) return 'ramp-up';
  return target < before ? 'ramp-down' : 'steady';
}

// As check of k6, and waits for promises: for the value's and for those of the tests.
export function check(value, tests, tags = {}) {
  const names = Object.keys(tests);
  const waits = isPromise(value) || names.some((name) => isAsync(tests[name]));
  if (!waits) return k6check(value, tests, tags);
  return checkLater(value, tests, tags);
}

async function checkLater(value, tests, tags) {
  const known = await value;
  let passed = true;
  for (const name of Object.keys(tests)) {
    const test = tests[name];
    let outcome;
    try {
      outcome = typeof test === 'function' ? await test(known) : await test;
    } catch (error) {
      k6check(known, { [name]: false }, tags);
      throw error;
    }
    passed = k6check(known, { [name]: !!outcome }, tags) && passed;
  }
  return passed;
}

function isPromise(value) {
  return value instanceof Promise || (value && typeof value.then === 'function');
}

function isAsync(test) {
  return isPromise(test) || (typeof test === 'function' && test.constructor.name === 'AsyncFunction');
}
