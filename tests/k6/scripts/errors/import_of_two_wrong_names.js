// @exit 107
import first, { seen, vist } from './lib/visits.js';

export default function () {
  first(seen, vist);
}
