// @args --log-output=file=/no/such/folder/run.log
// @exit 255
// A folder that is not there.
export default function () {}
