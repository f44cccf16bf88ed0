// open as text and as binary.
const text = open('./data/words.txt');
const bytes = open('./data/words.txt', 'b');

export default function () {
  console.log(text.trim().split('\n').join(), bytes.byteLength, bytes instanceof ArrayBuffer);
}
