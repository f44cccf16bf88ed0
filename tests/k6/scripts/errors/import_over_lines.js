// @exit 107
import { visit,
  vist } from './lib/visits.js';

export default function () {
  visit(vist);
}
