// Lines from init code come once per runtime.
// @args --vus 2 --iterations 2
console.log('init');

export function setup() {
  console.log('setup');
}

export default function () {}
