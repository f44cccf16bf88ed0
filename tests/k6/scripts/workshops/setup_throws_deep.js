// @exit 255
// setup throws an error of its own class from a helper after an await.
class Refused extends Error { constructor(why, code) { super(why); this.name = 'Refused'; this.code = code; } }
async function token() { await Promise.resolve(); throw new Refused('no token', 7); }
export async function setup() {
  console.log('asking');
  try { await token(); } catch (e) { console.log(e instanceof Refused, e.code, `${e}`); throw e; }
}
export default function () { console.log('never'); }
export function teardown() { console.log('no teardown'); }
export function handleSummary(data) { return { stdout: `summary ${Object.keys(data.metrics).includes('iterations')}\n` }; }
