// @exit 255
// A promise that teardown does not wait for is rejected.
export default function () {}
export function teardown() { Promise.reject(new TypeError('left')); }
