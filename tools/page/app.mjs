// usage: node app.mjs LOADLINE
//
// A single-page app waits with sdk/gate/browser in a real browser, on another origin than the gate's: what
// a listed origin may do, and what no other page can.
import { createServer, request as httpRequest } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { startGate, until } from './gate.mjs';

const [loadline] = process.argv.slice(2);
const module = readFileSync(new URL('../../sdk/gate/browser/waiting-room.js', import.meta.url));
const failures = [];
const must = (what, holds) => { if (!holds) failures.push(what); console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`); };
const listen = async (handler) => {
  const server = createServer(handler);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { server, port: server.address().port };
};
const app = await listen((request, response) => {
  const script = request.url === '/waiting-room.js';
  response.writeHead(200, { 'Content-Type': script ? 'text/javascript' : 'text/html' }).end(script ? module : '<!doctype html><title>app</title><p id="told">');
});
const home = mkdtempSync(join(tmpdir(), 'gate-app-'));
const { gate, visitors, ask } = await startGate(loadline, home, (port) => `http://wait.test:${port}`);
// The way to the gate, which can be cut.
const way = { cut: false };
const between = await listen((request, response) => {
  if (way.cut) return request.socket.destroy();
  const inner = httpRequest({ port: visitors, path: request.url, method: request.method, headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  request.pipe(inner.on('error', () => request.socket.destroy()));
});
const [listed, other] = ['app', 'other'].map((name) => `http://${name}.test:${app.port}`);
const tenant = (await ask('POST', '/v1/tenants', { name: 'app' })).id;
const queue = await ask('POST', '/v1/queues', { tenant, slug: 'app', mode: 'hold', cap: 10, redirect_origins: [listed], cors_origins: [listed] });
const room = { gate: `http://wait.test:${between.port}`, queue: queue.id };

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--host-resolver-rules=MAP *.test 127.0.0.1'] });
async function tab(origin) {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.goto(`${origin}/`, { waitUntil: 'load' });
  return page;
}
/** Begins to wait as an app does; what it is told is in the page. */
const wait = (page) => page.evaluate((room) => {
  window.told = [];
  import('/waiting-room.js').then(({ waitIn }) => waitIn({ ...room, show: ({ state, seq }) => window.told.push({ state, seq }) }))
    .then((entry) => { location.href = entry.redirect; }, (error) => window.told.push({ state: error.code || String(error) }));
}, room);
const told = (page, state) => until(state, () => page.evaluate((state) => window.told.find((one) => one.state === state), state));
/** One call as a page makes it: its status, or `blocked` when the browser keeps the answer from it. */
const tries = (page, call, init) => page.evaluate(async (url, init) => {
  try { return (await fetch(url, init)).status; } catch { return 'blocked'; }
}, `${room.gate}/q/${room.queue}/${call}`, init);
const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

try {
  const kim = await tab(listed);
  await wait(kim);
  const first = await told(kim, 'waiting');
  must('a page of a listed origin has a place', first.seq > 0);
  must('no cookie is kept for it', (await browser.cookies()).length === 0);
  way.cut = true;
  await told(kim, 'unreachable');
  must('it is told when the gate cannot be reached', true);
  way.cut = false;
  await kim.reload({ waitUntil: 'load' });
  await wait(kim);
  must('a reload and a lost connection keep the place', (await told(kim, 'waiting')).seq === first.seq);

  const eve = await tab(other);
  const before = (await ask('GET', `/v1/queues/${queue.id}/stats`)).waiting;
  must('a page of another origin cannot join', await tries(eve, 'join', json) === 'blocked');
  must('nor read where the queue stands', await tries(eve, 'status') === 'blocked');
  must('and took no place', (await ask('GET', `/v1/queues/${queue.id}/stats`)).waiting === before);
  must('a listed one reads where the queue stands', await tries(kim, 'status') === 200);
  must('but nothing with cookies', await tries(kim, 'status', { credentials: 'include' }) === 'blocked');
  must('and hears why it is refused', await tries(kim, 'me', { headers: { Authorization: 'Bearer made-up' } }) === 401);

  await ask('PUT', `/v1/queues/${queue.id}/mode`, { mode: 'auto' });
  await until('the app', () => new URL(kim.url()).searchParams.has('wr'), 40000);
  must('and comes in', kim.url().startsWith(`${listed}/?wr=`));

  await ask('PATCH', `/v1/queues/${queue.id}`, { cors_origins: null });
  const late = await tab(listed);
  must('an origin that is listed no more is refused', await tries(late, 'status') === 'blocked');
} finally {
  await browser.close();
  [app, between].forEach(({ server }) => { server.closeAllConnections(); server.close(); });
  const gone = new Promise((done) => gate.on('exit', done));
  gate.kill('SIGTERM');
  await gone;
  rmSync(home, { recursive: true });
}
console.log(failures.length === 0 ? 'all good' : `${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
