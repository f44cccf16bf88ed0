// @exit 107
// A name that a module does not export.
import { next, nothing } from './lib/tool.mjs';
export default function () { nothing(next()); }
