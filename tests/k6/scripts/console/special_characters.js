// Quotes, line breaks, tabs, other alphabets.
export default function () {
  console.log('with "quotes" and \'single\'');
  console.log('two\nlines');
  console.log('tab\there');
  console.log('back\\slash');
  console.log('한글 ünï ⚓');
  console.log('percent %s %d', 'a', 1);
}
