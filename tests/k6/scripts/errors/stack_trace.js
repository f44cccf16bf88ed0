// Frames of an exception.
function third() {
  throw new Error('deep down');
}
const second = () => third();
class First {
  call() {
    second();
  }
}

export default function () {
  try {
    new First().call();
  } catch (error) {
    const lines = error.stack.split('\n').map((line) => (line.match(/\.js:(\d+)/) || [])[1]).filter(Boolean);
    console.log(error.message, lines.join());
  }
  new First().call();
}
