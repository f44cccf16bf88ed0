// @exit 107
// A path without its extension.
import greet from './lib/greet';

export default function () {}
