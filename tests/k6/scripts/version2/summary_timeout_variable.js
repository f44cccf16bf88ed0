// A variable says it too.
// @since 2.2
// @env K6_HANDLE_SUMMARY_TIMEOUT=400ms
import exec from 'k6/execution';

export default function () {
  console.log(exec.test.options.handleSummaryTimeout);
}

export function handleSummary() {
  for (;;) {
    // longer than that
  }
}
