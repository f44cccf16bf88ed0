// @args --vus 3
// vus alone is ignored with a warning.
export default function () {
  console.log('once');
}
