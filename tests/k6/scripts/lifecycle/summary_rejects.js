export default function () {}

export async function handleSummary() {
  throw new Error('no summary');
}
