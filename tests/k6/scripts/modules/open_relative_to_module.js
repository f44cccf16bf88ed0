// open inside an imported module.
import { text } from './lib/reader.js';

export default function () {
  console.log(text.trim());
}
