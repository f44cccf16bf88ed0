// @exit 107
// A syntax error in an imported module.
import { broken } from './lib/broken.js';

export default function () {}
