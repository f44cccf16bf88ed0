// Lets in only whom the waiting room let in. Node 20, no packages; for http, Connect, Express.
//
//   app.use(waitingRoom({ gate: 'https://wait.example', queue: 'q_...', key: process.env.GATE_KEY, secret: process.env.SESSION_SECRET }));
//
// The gate sends a visitor to an address of this service with ?wr=<code>. The code is exchanged
// once, with an Idempotency-Key, so that an answer that was lost can be asked for again, and
// becomes a session in a signed cookie. Who is inside is told to the gate once a minute; whose
// session is over there has none here.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

const TRIES = 4;
const FIRST_PAUSE_MS = 100;
const TIMEOUT_MS = 5_000;
const TOGETHER = 5_000; // sessions of one heartbeat
const SEEN_MS = 120_000; // who asked nothing for so long is not told as inside

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A call; tried again where the gate could not be reached or says "later". */
async function call(options, path, body, once) {
  const headers = { Authorization: `Bearer ${options.key}`, 'Content-Type': 'application/json', ...(once && { 'Idempotency-Key': once }) };
  for (let tries = 1, wait = FIRST_PAUSE_MS; ; tries += 1, wait *= 3) {
    let problem;
    try {
      const answer = await fetch((options.inner || options.gate) + path, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(TIMEOUT_MS) });
      const told = await answer.json().catch(() => ({}));
      // Only these say nothing about the visitor.
      if (answer.status !== 429 && answer.status < 500) return { status: answer.status, code: told.error?.code, told };
      problem = new Error(`${path}: ${answer.status} ${told.error?.code ?? ''}`);
    } catch (error) {
      problem = error;
    }
    options.onError?.(problem);
    if (tries >= TRIES) throw problem;
    await pause(wait + Math.random() * wait);
  }
}

export function waitingRoom(options) {
  for (const name of ['gate', 'queue', 'key', 'secret']) if (!options[name]) throw new TypeError(`waitingRoom: ${name} is missing`);
  if (options.secret.length < 32) throw new TypeError('waitingRoom: secret must have 32 characters at least');
  if (!/^q_[0-9a-f]{16}$/.test(options.queue)) throw new TypeError(`waitingRoom: ${options.queue} is no queue's id`);
  options = { ...options, gate: options.gate.replace(/\/$/, '') };
  const { gate, queue } = options;
  const inside = new Map(); // wid -> when it last asked for something
  const seqs = new Map(); // wid -> the number of its admission
  const over = new Map(); // wid -> the admission whose cookie is refused
  const mac = (text) => createHmac('sha256', options.secret).update(`${queue}.${text}`).digest('base64url');

  function session(request) {
    const pairs = (request.headers.cookie || '').split(';').map((pair) => pair.trim());
    const name = `wr_${queue}=`;
    const [wid, seq, end, sign] = (pairs.find((pair) => pair.startsWith(name)) || name).slice(name.length).split('.');
    if (!sign || !(Number(end) > Date.now() / 1000)) return null;
    const [right, given] = [Buffer.from(mac(`${wid}.${seq}.${end}`)), Buffer.from(sign)];
    if (right.length !== given.length || !timingSafeEqual(right, given) || over.get(wid) === seq) return null;
    return { wid, seq, end: Number(end) };
  }

  /** What browsers call this service. */
  const origin = (request) => options.origin || `${request.socket.encrypted ? 'https' : 'http'}://${request.headers.host}`;
  const isSecure = (request) => origin(request).startsWith('https:');
  const cookie = (request, value, life) => `wr_${queue}=${value}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${isSecure(request) ? '; Secure' : ''}`;
  const send = (response, status, head, text = '') => response.writeHead(status, { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', ...head }).end(text);
  /** As the browser asked: Express cuts the mount path off `url`. */
  const asked = (request) => new URL(request.originalUrl || request.url, 'http://service');

  function toRoom(request, response) {
    const url = asked(request);
    url.searchParams.delete('wr');
    // Only what a browser opens can be gone back to.
    const back = ['GET', 'HEAD'].includes(request.method) ? origin(request) + url.pathname + url.search : undefined;
    const room = `${gate}/w/${queue}${back ? `?rt=${encodeURIComponent(back)}` : ''}`;
    const isPage = request.headers['sec-fetch-mode'] ? request.headers['sec-fetch-mode'] === 'navigate' : /text\/html/.test(request.headers.accept || '') || !request.headers.accept || request.headers.accept === '*/*';
    if (isPage) return send(response, 303, { Location: room });
    // A script cannot follow to a page: it is told where the page is.
    return send(response, 401, { 'Content-Type': 'application/json' }, JSON.stringify({ error: { code: 'not_inside', message: 'the visitor has to wait first' }, waiting_url: room }));
  }

  function later(response) {
    return send(response, 503, { 'Retry-After': '2', 'Content-Type': 'text/plain; charset=utf-8' }, 'The waiting room cannot be reached for a moment. Please try again.\n');
  }

  async function comeIn(request, response, url, code) {
    // Under one key: an answer that was lost is asked for again, and whoever else brings the code gets nothing.
    const { status, told } = await call(options, '/v1/token/exchange', { queue, code }, randomUUID());
    if (status === 401 && told.error?.code === 'no_key') throw new Error('the gate refuses the key');
    if (status === 403 || status === 404) throw new Error(`the gate refuses the exchange: ${told.error?.code}`);
    // Used, over, or made up: the room knows what to do with each, and gives another code where there is one.
    if (status !== 200) return toRoom(request, response);
    const text = `${told.wid}.${told.seq}.${Math.floor(Date.now() / 1000) + told.session_s}`;
    inside.set(told.wid, Date.now());
    seqs.set(told.wid, String(told.seq));
    url.searchParams.delete('wr');
    // Out of the address, so that it is neither bookmarked nor sent on.
    return send(response, 303, { Location: url.pathname + url.search, 'Set-Cookie': cookie(request, `${text}.${mac(text)}`, told.session_s) });
  }

  async function heartbeat() {
    const now = Date.now();
    for (const [wid, seen] of inside) if (now - seen > SEEN_MS) inside.delete(wid);
    const wids = [...inside.keys()];
    for (let from = 0; from < wids.length; from += TOGETHER) {
      const { status, told } = await call(options, `/v1/queues/${queue}/sessions/heartbeat`, { wids: wids.slice(from, from + TOGETHER) });
      if (status !== 200) throw new Error(`heartbeat: ${status} ${told.error?.code}`);
      for (const wid of told.over?.wids || []) end(wid);
    }
  }

  function end(wid, seq = seqs.get(wid)) {
    inside.delete(wid);
    if (seq !== undefined) over.set(wid, seq);
    seqs.delete(wid);
    // A cookie lives a week at most; so many that are over are remembered.
    if (over.size > 100_000) over.delete(over.keys().next().value);
  }

  const timer = setInterval(() => heartbeat().catch((error) => options.onError?.(error)), options.heartbeatMs || 60_000);
  timer.unref();

  function middleware(request, response, next) {
    const url = asked(request);
    if (options.open?.(url.pathname)) return next();
    const code = url.searchParams.get('wr');
    const found = session(request);
    if (found) {
      inside.set(found.wid, Date.now());
      seqs.set(found.wid, found.seq);
      request.waitingRoom = { wid: found.wid, seq: Number(found.seq) };
      return next();
    }
    if (!code) return toRoom(request, response);
    comeIn(request, response, url, code).catch((error) => {
      options.onError?.(error);
      if (options.away === 'pass') return next();
      return later(response);
    });
  }
  return Object.assign(middleware, {
    heartbeat,
    visitor: (request) => session(request)?.wid ?? null,
    async leave(request, response) {
      const found = session(request);
      if (!found) return;
      end(found.wid, found.seq);
      response?.setHeader('Set-Cookie', cookie(request, '', 0));
      await call(options, `/v1/queues/${queue}/sessions/complete`, { wids: [found.wid] });
    },
    close: () => clearInterval(timer),
  });
}
