import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Options {
  /** Where visitors and this service reach the gate: `https://wait.example`. */
  gate: string;
  /** The queue's id. Its `proof` must be `code`, and this service one of its `redirect_origins`. */
  queue: string;
  /** A key with the scope `register`. */
  key: string;
  /** Signs this service's sessions; all its instances share it. 32 characters at least. */
  secret: string;
  /** Where the service calls the gate, if not at `gate`. */
  inner?: string;
  /** What browsers call this service, if it stands behind a proxy: `https://shop.example`. */
  origin?: string;
  /** Paths that everybody may see. */
  open?: (path: string) => boolean;
  /** Between two heartbeats, in ms; must be well below the queue's `idle_s`. Usual: 60,000. */
  heartbeatMs?: number;
  /** What happens to visitors without a session while the gate cannot be reached: `hold` (503) or `pass`. Usual: `hold`. */
  away?: 'hold' | 'pass';
  /** Told of what failed and is tried again. */
  onError?: (error: Error) => void;
}

export interface WaitingRoom {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  /** Ends a visitor's session, and gives the place to the next: on logout, or when the purchase is done. */
  leave(request: IncomingMessage, response?: ServerResponse): Promise<void>;
  /** Who a request is, as the queue knows them; `null` without a session. */
  visitor(request: IncomingMessage): string | null;
  /** Sends the heartbeats that are due now. */
  heartbeat(): Promise<void>;
  /** Stops the heartbeats. */
  close(): void;
}

export function waitingRoom(options: Options): WaitingRoom;
