// ES module importing CommonJS.
import tools from './lib/tools.cjs.js';
import { double } from './lib/tools.cjs.js';

export default function () {
  console.log(tools.double(2), double(3));
}
