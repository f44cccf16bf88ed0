// ES modules: relative imports, default and named, re-exports.
import greet, { shout, version } from './lib/greet.js';
import * as everything from './lib/greet.js';
import { area as surface } from './lib/nested/shapes.js';

export default function () {
  console.log(greet('deck'), shout('ahoy'), version, Object.keys(everything).sort().join(), surface(3, 4));
}
