// A promise that nobody waits for is rejected: the iteration ends, with its timers.
export const options = { iterations: 2 };
export default function () {
  Promise.reject(['a', 'list']);
  setTimeout(() => console.log('never'), 5);
  console.log('goes on');
}
