// @compare summary-text
// The summary of a script that does nothing.
export default function () {}
