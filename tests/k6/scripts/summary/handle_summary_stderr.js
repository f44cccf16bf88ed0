// handleSummary to standard error.
export default function () {}

export function handleSummary() {
  return { stderr: 'said aloud\n' };
}
