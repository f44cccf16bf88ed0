// @exit 255
// A default export that is no function.
export default { a: 1 };
