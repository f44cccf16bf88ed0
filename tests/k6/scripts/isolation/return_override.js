// A private field put on a built-in object.
import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };

export default function () {
  class Base { constructor(o) { return o; } }
  class Marker extends Base { #mark = __VU; static has(o) { return #mark in o; } }
  let outcome = 'ok';
  try { new Marker([Math][0]); new Marker([Math][0]); } catch (e) { outcome = 'twice'; }
  sleep(0.05);
  console.log(`${__VU}:${__ITER}`, outcome, Marker.has(Math));
}
