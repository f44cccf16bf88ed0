// @args --log-output=file=run.log,mode=append
// @exit 255
// A key that the log's file does not have.
export default function () {}
