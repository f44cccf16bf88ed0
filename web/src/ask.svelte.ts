import { change, Refused } from './api';

/** Whether the token is being asked for. */
export const asked = $state({ open: false });
let told: ((given: boolean) => void) | null = null;

export function answer(given: boolean): void {
  asked.open = false;
  told?.(given);
  told = null;
}

/** Changes something; asks for the token where it is missing or wrong. */
export async function changed<T>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T | null> {
  for (;;) {
    try {
      return await change<T>(method, path, body);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      asked.open = true;
      const given = await new Promise<boolean>((done) => { told = done; });
      if (!given) throw error;
    }
  }
}
