// open in an iteration is an error of that iteration.
export default function () {
  try {
    open('./data/words.txt');
    console.log('no error');
  } catch (error) {
    console.log('error');
  }
}
