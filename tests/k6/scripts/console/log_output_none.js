// @args --log-output none
// No log lines at all.
export default function () {
  console.log('unheard');
}
