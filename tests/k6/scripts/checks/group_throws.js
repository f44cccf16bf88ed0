// A group that throws still ends, and its duration counts.
import { group } from 'k6';

export const options = { iterations: 2, thresholds: { group_duration: ['max>=0'] } };

export default function () {
  try {
    group('risky', () => {
      throw new Error('inside');
    });
  } catch (error) {
    console.log('caught', error.message);
  }
  group('uncaught', () => {
    throw new Error('ends the iteration');
  });
}
