// Stands in for https://jslib.k6.io/k6-utils/ when results are recorded, because k6 cannot fetch it there.
// Written from the library's documentation; the scripts print only what the documentation promises.
import { check as k6check } from 'k6';

export function randomIntBetween(min, max) {
  return Math.floor(Math.random() * (max - min + 1) + min);
}

export function randomItem(items) {
  return items[Math.floor(Math.random() * items.length)];
}

export function randomString(length, charset = 'abcdefghijklmnopqrstuvwxyz') {
  let text = '';
  while (length-- > 0) text += charset[Math.floor(Math.random() * charset.length)];
  return text;
}

export function uuidv4() {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(Math.random() * 16);
    return (place === 'x' ? digit : (digit & 3) | 8).toString(16);
  });
}

export function findBetween(content, left, right, repeat = false) {
  const found = [];
  let from = 0;
  while (from >= 0) {
    const start = content.indexOf(left, from);
    if (start < 0) break;
    const end = content.indexOf(right, start + left.length);
    if (end < 0) break;
    const text = content.substring(start + left.length, end);
    if (!repeat) return text;
    found.push(text);
    from = end + right.length;
  }
  return repeat ? found : null;
}

export function normalDistributionStages(maxVus, durationSeconds, numberOfStages = 10) {
  const normal = (mean, deviation, x) => Math.exp(-0.5 * Math.pow((x - mean) / deviation, 2)) / (deviation * Math.sqrt(2 * Math.PI));
  const curve = new Array(numberOfStages + 2).fill(0);
  const peak = normal(0, 1, 0);
  const step = 4 / (numberOfStages + 1);
  const stages = [];
  for (let index = 0; index <= numberOfStages + 1; index++) {
    curve[index] = normal(0, 1, -2 + step * index);
    const duration = Math.ceil(durationSeconds / (numberOfStages + 2));
    stages.push({ duration: `${index === 0 ? 0 : duration}s`, target: Math.ceil(maxVus * (curve[index] / peak)) });
  }
  return stages;
}

export function getCurrentStageIndex() {
  throw new Error('not stood in for');
}

export function check(value, checks, tags) {
  return k6check(value, checks, tags);
}
