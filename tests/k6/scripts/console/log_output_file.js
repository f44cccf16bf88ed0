// @args --log-output file=run.log --log-format raw
// @compare file run.log
// Log lines in a file.
export default function () {
  console.log('kept in a file');
}
