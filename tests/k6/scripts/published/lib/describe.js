import { group } from 'k6';

export function describe(name, steps) {
  return group(name, () => {
    try {
      steps();
      return true;
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      return false;
    }
  });
}
