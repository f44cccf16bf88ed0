/** Calls to the server that served this page. The browser sends the cookie that the link has set. */

/** What was wrong, in words for a person. */
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

async function answered(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  let code = String(answer.status);
  let message = answer.statusText;
  try {
    const { error } = await answer.json();
    code = error.code;
    message = error.message;
  } catch {
    // Not one of ours: the status has to do.
  }
  throw new Refused(answer.status, code, message);
}

export async function read<T>(path: string): Promise<T> {
  return (await answered(await fetch(path))).json();
}

export async function change<T>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T | null> {
  const headers: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const answer = await answered(await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }));
  return answer.status === 204 ? null : answer.json();
}
