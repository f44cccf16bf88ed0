// Synchronous code, microtasks, timers.
export default function () {
  setTimeout(() => console.log('timer 200'), 200);
  setTimeout(() => console.log('timer 0'), 0);
  Promise.resolve().then(() => console.log('micro 1')).then(() => console.log('micro 2'));
  console.log('sync');
}
