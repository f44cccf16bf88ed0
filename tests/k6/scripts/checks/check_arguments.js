// check without checks, and with odd arguments.
import { check } from 'k6';

export default function () {
  console.log(check(1, {}), check(1, null), check(undefined, { 'is undefined': (v) => v === undefined }));
}
