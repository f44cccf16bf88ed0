// @exit 255
// A promise that setup does not wait for is rejected.
export async function setup() {
  Promise.reject(new Error('no data'));
  await null;
  return 1;
}
export default function () { console.log('never'); }
