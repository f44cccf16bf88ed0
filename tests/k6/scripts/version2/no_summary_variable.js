// The variable is not read any more.
// @env K6_NO_SUMMARY=true
// @compare stdout TOTAL
export default function () {
  console.log('ran');
}
