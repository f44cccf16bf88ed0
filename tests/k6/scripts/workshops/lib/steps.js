import http from 'k6/http';
import { check, group } from 'k6';
export const base = __ENV.BASE;
export function step(name, path, params = {}) {
  return group(name, () => {
    const res = http.get(`${base}${path}`, { ...params, tags: { step: name, ...(params.tags || {}) } });
    check(res, { [`${name} answered`]: (r) => r.status < 400 });
    return res;
  });
}
export default class Basket {
  #items = [];
  static made = 0;
  constructor() { Basket.made += 1; }
  add(item, count = 1) { this.#items.push({ item, count }); return this; }
  get size() { return this.#items.reduce((n, { count }) => n + count, 0); }
  toJSON() { return { items: this.#items, size: this.size }; }
}
