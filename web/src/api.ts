/** Calls to the server that served this page. */

/** What was wrong, in words for a person. */
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** The token is in the address that the server printed, behind `#`, which no server is sent. */
function takeToken(): void {
  const found = /[#&]token=([A-Za-z0-9_-]+)/.exec(location.hash);
  if (found?.[1]) {
    sessionStorage.setItem('token', found[1]);
    history.replaceState(null, '', location.pathname + location.search);
  }
}
takeToken();

export function token(): string {
  return sessionStorage.getItem('token') ?? '';
}

export function setToken(value: string): void {
  sessionStorage.setItem('token', value.trim());
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
  const headers: Record<string, string> = { Authorization: `Bearer ${token()}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await answered(await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }));
  return answer.status === 204 ? null : answer.json();
}
