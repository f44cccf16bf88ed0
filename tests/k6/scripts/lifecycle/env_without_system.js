// @args --include-system-env-vars=false -e GIVEN=1
// @env HIDDEN=secret
// The system's environment can be left out.
export default function () {
  console.log(__ENV.GIVEN, __ENV.HIDDEN);
}
