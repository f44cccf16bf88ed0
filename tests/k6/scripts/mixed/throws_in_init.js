// @exit 107
// A mistake in the init code, two calls deep.
function config(name) { const v = __ENV[name]; if (!v) throw new Error(`set ${name}`); return v; }
function all() { return { token: config('NOT_SET_ANYWHERE') }; }
const c = all();
export default function () { console.log(c.token); }
