// Modules that import each other.
import { ping } from './lib/ping.js';

export default function () {
  console.log(ping(3));
}
