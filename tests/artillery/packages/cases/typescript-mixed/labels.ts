export function label(method: string, mode: string): string {
  return `${method}-${mode}`;
}
