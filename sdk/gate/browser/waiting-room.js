// For single-page apps and apps with a page of their own: takes a place, waits, and comes in.
//
//   const entry = await waitIn({ gate: 'https://wait.example', queue: 'q_...', show: (place) => render(place) });
//   location.href = entry.redirect;
//
// The ticket is kept in the tab's storage and shown as a Bearer token, so the gate may be of
// another site: the queue's `cors_origins` lists the page's origin then.
const soon = (ms) => ms / 2 + Math.random() * ms;

/**
 * @param {{gate: string, queue: string, rt?: string, show?: (place: object) => void, signal?: AbortSignal, storage?: Storage}} options
 * @returns {Promise<{redirect: string, code: string, session_s: number}>} what proves the admission
 * Rejects with an Error whose `code` is the gate's: `blocked`, `closed`, `join_through_service`, `address_not_allowed`.
 */
export async function waitIn({ gate, queue, rt, show = () => {}, signal, storage = globalThis.sessionStorage }) {
  const kept = `wr_${queue}`;
  const pause = (ms) => new Promise((done, stopped) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', () => { clearTimeout(timer); stopped(signal.reason); }, { once: true });
  });
  let token = storage?.getItem(kept);
  let failures = 0;

  /** One call; where the gate cannot be reached or says "later", the place is kept and it is asked again. */
  async function ask(method, call, body) {
    for (;;) {
      let wait;
      try {
        const answer = await fetch(`${gate}/q/${queue}/${call}`, {
          method, signal, headers: { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { 'Content-Type': 'application/json' }) },
          body: body && JSON.stringify(body), cache: 'no-store',
        });
        const told = answer.status === 204 ? {} : await answer.json();
        if (answer.status !== 429 && answer.status < 500) {
          failures = 0;
          return { status: answer.status, told };
        }
        wait = Number(answer.headers.get('Retry-After') || 2) * 1000;
      } catch (error) {
        if (signal?.aborted) throw error;
        wait = Math.min(30_000, 1_000 * 2 ** failures);
      }
      failures += 1;
      // The place is kept meanwhile: say so rather than nothing.
      show({ state: 'unreachable' });
      await pause(soon(wait));
    }
  }
  const keep = (told) => {
    if (told.waiting_token) storage?.setItem(kept, token = told.waiting_token);
  };
  const refused = ({ status, told }) => Object.assign(new Error(told.error?.message || `${status}`), { code: told.error?.code, status, reason: told.error?.reason });

  async function join() {
    const joined = await ask('POST', 'join', rt ? { rt } : {});
    // A ticket of another secret or too old: a new one, without it.
    if (joined.status === 401 && token) {
      storage?.removeItem(kept);
      token = null;
      return join();
    }
    if (joined.status !== 200 && joined.status !== 201) throw refused(joined);
    keep(joined.told);
    return joined.told;
  }

  let place = await join();
  for (;;) {
    show(place);
    if (place.state === 'blocked') throw Object.assign(new Error(place.reason), { code: 'blocked', reason: place.reason });
    if (place.state === 'ready' || place.state === 'inside') {
      const claimed = await ask('POST', 'claim', rt ? { rt } : {});
      if (claimed.status === 200) {
        return claimed.told;
      }
      // 409: not yet, or inside already. 410: the turn is over; a new place is taken.
      if (claimed.told.error?.code === 'already_inside') throw refused(claimed);
      if (claimed.status === 410) place = await join();
      else if (claimed.status !== 409) throw refused(claimed);
    }
    await pause(soon(place.poll_after_ms || 2_000));
    const asked = await ask('GET', 'me');
    // Only the gate's own word is "gone"; then a new place is taken, at the end of the line.
    if (asked.status === 410 || asked.status === 401) place = await join();
    else if (asked.status === 200) keep(place = asked.told);
    else throw refused(asked);
  }
}

/** Gives the place up: the next one moves on. */
export async function giveUp({ gate, queue, storage = globalThis.sessionStorage }) {
  const token = storage?.getItem(`wr_${queue}`);
  if (!token) return;
  storage.removeItem(`wr_${queue}`);
  await fetch(`${gate}/q/${queue}/leave`, { method: 'POST', keepalive: true, headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: '{"forever":true}' });
}
