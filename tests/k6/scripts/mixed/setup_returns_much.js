// @exit 255
// What set-up returns reaches users as JSON.
export const options = { vus: 1, iterations: 2 };
export function setup() { return { date: new Date(86400000), none: undefined, nan: NaN, nested: { map: new Map([[1, 2]]), set: new Set([1]), arr: [undefined, 1, [2]] }, big: 2 ** 53, text: '한글 <&>', bool: false, nul: null, typed: new Uint8Array([1, 2]) }; }
export default function (d) { console.log(JSON.stringify(d)); d.nested.arr = 'mine'; d.added = __ITER; }
export function teardown(d) { console.log(Object.keys(d).join()); }
