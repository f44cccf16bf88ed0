// An async check function is refused.
import { check } from 'k6';

export default async function () {
  try {
    check(1, { later: async () => true });
    console.log('no error');
  } catch (error) {
    console.log('error', /async/.test(error.message));
  }
}
