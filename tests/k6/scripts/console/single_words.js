// Words that need no quotes in the log.
export default function () {
  console.log('word');
  console.log('with-dash/slash.dot@at^caret_under+plus');
  console.log('colon:');
  console.log('equals=');
}
