// Setup data passes through JSON.
export function setup() {
  return { date: new Date(0), u: undefined, nul: null, nested: { b: 1, a: [undefined, 2] }, nan: 1.5, text: 'ü' };
}

export default function (data) {
  console.log(JSON.stringify(data.date), data.u, data.nul, JSON.stringify(data.nested.a), data.nan, data.text, Object.keys(data).sort().join());
}
