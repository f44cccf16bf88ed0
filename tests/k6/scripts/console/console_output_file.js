// @args --console-output lines.log
// @compare file lines.log
// --console-output sends the lines to a file.
export default function () {
  console.log('into the file');
  console.warn('this too');
}
