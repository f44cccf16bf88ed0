// A promise that nobody awaits is no exception of the script's.
export default function () {
  Promise.reject(new Error('nobody'));
}
