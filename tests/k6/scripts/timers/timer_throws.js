// A timer that throws.
export const options = { iterations: 2 };

export default function () {
  setTimeout(() => {
    throw new Error('in a timer');
  }, 5);
  setTimeout(() => console.log('later timer'), 3000);
}
