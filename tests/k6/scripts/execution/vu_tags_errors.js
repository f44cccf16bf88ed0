// A tag that is no scalar.
import exec from 'k6/execution';

export default function () {
  for (const value of [{}, [], null, undefined, () => 1]) {
    try {
      exec.vu.tags.odd = value;
      console.log('no error', exec.vu.tags.odd);
    } catch (error) {
      console.log('error', error.name);
    }
  }
  exec.vu.tags.fine = true;
  console.log(exec.vu.tags.fine);
}
