// The iteration lasts as long as its timers.
export const options = { iterations: 2, thresholds: { iteration_duration: ['min>=200'] } };

export default function () {
  setTimeout(() => console.log('late'), 210);
}
