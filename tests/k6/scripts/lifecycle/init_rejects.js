// @exit 255
// A promise of init code that nobody waits for is rejected.
Promise.reject(new Error('no start'));
export default function () { console.log('never'); }
