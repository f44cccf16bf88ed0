import { read } from './api';
import { language } from './text.svelte';

/** How often a list that is looked at is read again, ms. */
const EVERY = 5000;

/** A list of the server, read again while its page is looked at. */
export class Listed<T> {
  rows = $state<T[] | null>(null);
  error = $state<unknown>(null);
  #path: string;
  #member: string;

  /** `member` is the name of the list in the answer. */
  constructor(path: string, member: string) {
    this.#path = path;
    this.#member = member;
    $effect(() => {
      void this.load();
      const timer = setInterval(() => { if (!document.hidden) void this.load(); }, EVERY);
      return () => clearInterval(timer);
    });
  }

  load = async (): Promise<void> => {
    try {
      const answer = await read<Record<string, T[]>>(`${this.#path}?lang=${language.lang}`);
      this.rows = answer[this.#member] ?? [];
      this.error = null;
    } catch (caught) {
      this.error = caught;
    }
  };
}
