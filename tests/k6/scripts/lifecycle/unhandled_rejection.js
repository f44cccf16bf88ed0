// A promise nobody waits for is rejected.
export default function () {
  Promise.reject(new Error('forgotten'));
  console.log('goes on');
}
