// A timer in init code.
setTimeout(() => console.log('from init'), 1);

export default function () {
  console.log('iteration');
}
