interface Context { vars: Record<string, unknown> }
export async function token(context: Context): Promise<void> {
  const code: number = 203;
  context.vars.code = code;
}
