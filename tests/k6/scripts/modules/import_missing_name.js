// @exit 107
// A name a module does not export.
import { nope } from './lib/greet.js';

export default function () {}
