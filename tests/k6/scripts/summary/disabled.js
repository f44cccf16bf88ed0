// @args --summary-mode disabled
// @compare stdout █
// No summary at all.
export default function () {}
