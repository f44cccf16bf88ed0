// Heavy but finite work.
// @computes
export default function () {
  let text = '';
  for (let i = 0; i < 20000; i++) text += String.fromCharCode(97 + (i % 26));
  console.log(text.length, text.match(/xyz/g).length, text.split('a').length, [...text].reverse().join('').slice(0, 5));
}
