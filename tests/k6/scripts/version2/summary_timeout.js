// The summary has the time that the option says.
// @since 2.2
export const options = { handleSummaryTimeout: '500ms' };

export default function () {}

export function handleSummary() {
  for (;;) {
    // longer than that
  }
}
