// @args -v
// @ordered
// Debug lines show with -v.
export default function () {
  console.debug('now it shows');
}
