// @args -u 2 -i 4 -q -e A=1
// Short forms of flags.
export default function () {
  console.log(__ENV.A);
}
