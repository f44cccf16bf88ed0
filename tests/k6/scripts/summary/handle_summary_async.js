// An async handleSummary.
// @compare stdout ^later
export default function () {}

export async function handleSummary() {
  await Promise.resolve();
  return { stdout: 'later\n' };
}
