// A polyfill in init code: every user has it.
Array.prototype.lastOne = function () { return this[this.length - 1]; };
String.prototype.shout = function () { return this.toUpperCase() + '!'; };
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  console.log(`${__VU}:${__ITER}`, [1, 2, 3].lastOne(), 'abc'.shout());
}
