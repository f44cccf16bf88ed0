// The module is gone.
// @former-exit 0
// @exit 107
import redis from 'k6/experimental/redis';

export default function () {
  console.log(typeof redis);
}
