// @args --log-output=file=run.log,level=warning --log-format=raw
// @exit 0
// @compare file run.log
// Lines from a level on, in a file.
export default function () { console.log('below'); console.warn('from here'); console.error('and above'); throw new Error('an exception'); }
