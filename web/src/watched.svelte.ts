import { Refused, read } from './api';
import { language } from './text.svelte';

/** How often something that was just started, and may not be stored yet, is asked for. */
const TRIES = 8;

/** What a page shows of a run or a study: read once, then told by the server while it goes on. */
export class Watched<T extends { row: { running: boolean } }> {
  answer = $state.raw<T | null>(null);
  error = $state<unknown>(null);
  /** When nothing was heard any more, ms since 1970; 0 while the server tells. */
  stale = $state(0);
  #path: () => string;
  #event: string;
  #source: EventSource | null = null;
  #tries = 0;

  /** `event` is the name of the server's event with a new answer. */
  constructor(path: () => string, event: 'run' | 'study') {
    this.#path = path;
    this.#event = event;
    $effect(() => {
      void this.load();
      return () => this.#source?.close();
    });
  }

  load = async (): Promise<void> => {
    try {
      this.answer = await read<T>(`${this.#path()}?lang=${language.lang}`);
      this.error = null;
      if (this.answer.row.running) this.#watch();
    } catch (caught) {
      if (caught instanceof Refused && caught.status === 404 && this.#tries < TRIES) {
        this.#tries += 1;
        setTimeout(this.load, 500);
        return;
      }
      this.error = caught;
    }
  };

  #watch(): void {
    this.#source?.close();
    const source = new EventSource(`${this.#path()}/live?lang=${language.lang}`);
    this.#source = source;
    source.addEventListener(this.#event, (event) => {
      this.answer = JSON.parse(event.data);
      this.stale = 0;
    });
    source.addEventListener('end', () => {
      // The server of `run --ui` ends with its run; what was told last is the end.
      source.close();
      void this.load();
    });
    source.onopen = () => { this.stale = 0; };
    source.onerror = () => {
      this.stale = Date.now();
      // The browser tries again by itself, unless the answer was no stream at all.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#watch(), 2000);
    };
  }
}
