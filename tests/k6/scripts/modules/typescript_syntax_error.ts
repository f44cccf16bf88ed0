// @exit 107
// A mistake in TypeScript.
export default function (): void {
  const a: number = ;
}
