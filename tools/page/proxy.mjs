// usage: node proxy.mjs LOADLINE SCREENSHOTS
//
// Browsers walk through a proxy into a service that only the waiting room opens: nginx asks the gate (auth_request) as in
// examples/gate/verify/nginx, once by address and once by plain-http names; Caddy (forward_auth) as in examples/gate/verify/caddy.
import { spawn } from 'node:child_process';
import { createServer as httpServer, request as httpRequest } from 'node:http';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { freePort, sleep, startGate, until } from './gate.mjs';

const [loadline, shots, only] = process.argv.slice(2);
const example = (file) => readFileSync(new URL(`../../examples/gate/verify/${file}`, import.meta.url), 'utf8');
/** What is filled in for LISTEN, and how each is started with its configuration. */
const proxies = {
  nginx: { file: 'nginx/nginx.conf', listen: (port) => `127.0.0.1:${port}`, command: (home) => ['nginx', '-p', home, '-e', 'error.log', '-c', 'nginx.conf'] },
  caddy: { file: 'caddy/Caddyfile', listen: (port) => port, command: (home) => ['caddy', 'run', '--config', `${home}/Caddyfile`] },
};
mkdirSync(shots, { recursive: true });
const failures = [];
const must = (what, holds) => { if (!holds) failures.push(what); console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`); };
const same = (what, found, wanted) => must(found === wanted ? what : `${what}: ${found}, not ${wanted}`, found === wanted);
/** One request as it is written here: `fetch` adds headers that browsers' scripts send. */
const plain = (url, method = 'GET', headers = {}) => new Promise((done, failed) => {
  const request = httpRequest(url, { method, headers, agent: false }, (answer) => {
    let body = '';
    answer.on('data', (part) => { body += part; });
    answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, body }));
  });
  request.on('error', failed).end();
});
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The service behind the proxy: shows what was asked for and by whom, and has a form. */
function service(request, response) {
  const form = '<form method="post" action="/order"><button id="order">order</button></form>';
  response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'no-store' })
    .end(`<!doctype html><title>service</title><h1>inside</h1><p id="asked">${request.method} ${escaped(request.url)}</p><p id="wid">${escaped(request.headers['x-wr-wid'] ?? '')}</p>${form}`);
}

/** A page of another site with a form that posts to the service. */
const elsewhere = (shop) => (request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' })
    .end(`<!doctype html><title>elsewhere</title><form method="post" action="${shop}/order"><button id="order">order</button></form>`);
};

async function world(name, proxyName, waitHost, shopHost) {
  const home = mkdtempSync(join(tmpdir(), 'gate-proxy-'));
  const ended = [];
  const [listen, behind, other] = await Promise.all([0, 0, 0].map(freePort));
  const { gate, visitors, ask } = await startGate(loadline, home, (port) => `http://${waitHost}:${port}`);
  const [wait, shop] = [`http://${waitHost}:${visitors}`, `http://${shopHost}:${listen}`];
  const servers = [httpServer(service).listen(behind, '127.0.0.1'), httpServer(elsewhere(shop)).listen(other, '127.0.0.1')];
  const tenant = (await ask('POST', '/v1/tenants', { name: 'proxy' })).id;
  const id = (await ask('POST', '/v1/queues', { tenant, slug: 'proxy', title: '여름 세일 / Summer sale', mode: 'hold', rate_per_s: 100, cap: 1000,
    claim_within_s: 600, proof: 'code', redirect_origins: [shop], redirect_to: `${shop}/` })).id;
  await ask('PATCH', `/v1/queues/${id}`, { redirect_to: `${shop}/enter/${id}` });
  const proxy = proxies[proxyName];
  mkdirSync(`${home}/proxy`);
  const filled = { GATE: `127.0.0.1:${visitors}`, QUEUE: id, SERVICE: `127.0.0.1:${behind}`, LISTEN: proxy.listen(listen) };
  const config = example(proxy.file).split('\n')
    .map((line) => (line.trim().startsWith('#') ? line : line.replace(/GATE|QUEUE|SERVICE|LISTEN/g, (word) => filled[word])));
  writeFileSync(`${home}/proxy/${proxy.file.split('/')[1]}`, config.join('\n'));
  const [program, ...args] = proxy.command(`${home}/proxy`);
  const process_ = spawn(program, args, { env: { ...process.env, HOME: home, PATH: `${process.env.PATH}:/usr/sbin` } });
  await until(proxyName, async () => (await plain(`http://127.0.0.1:${listen}/`)).status === 303);
  let turns = 0;
  const stats = () => ask('GET', `/v1/queues/${id}/stats`);
  const admit = (count) => ask('POST', `/v1/queues/${id}/admit`, { count }, { 'Idempotency-Key': `turn-${turns += 1}` });
  const end = async () => {
    const gone = (process) => new Promise((done) => { process.on('exit', done); process.kill('SIGTERM'); });
    await gone(gate);
    const alone = await plain(`http://127.0.0.1:${listen}/`);
    must(`${name}: without the gate ${proxyName} says when to come again`, alone.status === 503 && alone.headers['retry-after'] === '5' && alone.body.includes('잠시 후'));
    await gone(process_);
    servers.forEach((server) => server.close());
    rmSync(home, { recursive: true });
  };
  return { name, wait, shop, id, ask, stats, admit, end, gate: `http://127.0.0.1:${visitors}`, proxy: `http://127.0.0.1:${listen}`, elsewhere: `http://127.0.0.1:${other}/` };
}

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--host-resolver-rules=MAP *.test 127.0.0.1'] });

/** A visitor of his own; every address the pages asked for is kept in `seen`. */
async function visitor(lang = 'en') {
  const context = await browser.createBrowserContext();
  const seen = [];
  const tab = async () => {
    const page = await context.newPage();
    await page.setExtraHTTPHeaders({ 'Accept-Language': lang });
    await page.setViewport({ width: 360, height: 740, deviceScaleFactor: 1 });
    page.on('request', (request) => seen.push(`${request.method()} ${request.url()}`));
    return page;
  };
  return { tab, seen, page: await tab(), close: () => context.close() };
}
const text = (page, selector = 'body') => page.$eval(selector, (node) => node.innerText);
const asked = (page) => text(page, '#asked').catch(() => '');
const place = (page) => text(page, '#ahead');
const arrives = (page, what) => until(what, async () => (await asked(page)) !== '', 8000).then(() => asked(page), async () => `at ${page.url()}: ${(await text(page)).replace(/\n/g, ' ')}`);
const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });

async function walks(at) {
  const said = (what) => `${at.name}: ${what}`;
  const deep = '/goods?id=1&word=%ED%95%9C%EA%B8%80&next=%2Fa%3Fb';

  // A deep link, reload, the back button.
  const kim = await visitor();
  await kim.page.goto(at.shop + deep, { waitUntil: 'load' });
  must(said('a deep link leads to the waiting room'), (await place(kim.page)).includes('next'));
  const lee = await visitor('ko');
  await lee.page.goto(`${at.shop}/`, { waitUntil: 'load' });
  must(said('a private window has a place of its own'), (await place(lee.page)).includes('1'));
  await lee.page.reload({ waitUntil: 'load' });
  must(said('a reload keeps the place'), (await place(lee.page)).includes('1') && (await at.stats()).waiting === 2);
  await at.admit(1);
  same(said('a deep link ends where it began'), await arrives(kim.page, 'kim inside'), `GET ${deep}`);
  must(said('no code is left in the address'), kim.page.url() === at.shop + deep);
  await kim.page.reload({ waitUntil: 'load' });
  must(said('a reload inside stays inside'), await asked(kim.page) === `GET ${deep}`);
  await kim.page.setExtraHTTPHeaders({ 'Accept-Language': 'en', 'X-WR-Wid': 'forged' });
  await kim.page.reload({ waitUntil: 'load' });
  same(said('the service hears from the gate who it is, whatever the visitor says'), await text(kim.page, '#wid'), await wid(kim));
  await kim.page.setExtraHTTPHeaders({ 'Accept-Language': 'en' });
  const waitingRoom = kim.seen.find((line) => line.startsWith(`GET ${at.wait}/w/`)).slice(4);
  await kim.page.goBack({ waitUntil: 'load' }).catch(() => null);
  must(said('back from inside is no error'), !kim.page.url().startsWith('chrome-error'));
  await kim.page.goto(waitingRoom, { waitUntil: 'load' });
  must(said('the waiting room says that one is inside'), (await text(kim.page)).includes('You have entered'));
  await shot(kim.page, `${at.name}-inside-en`);
  await kim.page.click('#on button').catch(() => null);
  same(said('and leads on to where one wanted to go'), await arrives(kim.page, 'kim inside again'), `GET ${deep}`);

  // The address with the code again, here and elsewhere.
  const entered = kim.seen.find((line) => line.startsWith(`GET ${at.shop}/enter/`) && line.includes('wr='))?.slice(4) ?? `${at.shop}/enter/${at.id}?wr=x`;
  await kim.page.goto(entered, { waitUntil: 'load' });
  must(said('/enter again with a session goes on'), (await asked(kim.page)) === `GET ${deep}`);
  for (const lang of ['en', 'ko']) {
    const thief = await visitor(lang);
    const answer = await thief.page.goto(entered, { waitUntil: 'load' });
    must(said(`a used code is a page (${lang})`), [409, 410].includes(answer.status()) && (answer.headers()['content-type'] ?? '').startsWith('text/html') && await thief.page.$('a[href*="/w/"]') !== null);
    await shot(thief.page, `${at.name}-used-${lang}`);
    await thief.close();
  }

  // Two tabs of one visitor; the other visitor's turn.
  const second = await lee.tab();
  await second.goto(`${at.shop}/other`, { waitUntil: 'load' });
  must(said('two tabs have one place'), (await at.stats()).waiting === 1);
  await at.admit(1);
  // Whichever comes in first, the other one offers the way on.
  for (const tab of [lee.page, second]) {
    await until('a tab is in or offers the way on', async () => (await asked(tab)) !== '' || await tab.$('#on button') !== null, 8000).catch(() => null);
    const on = await tab.$('#on button');
    // A click asks whether its element is in view, which a tab behind another never answers.
    if (on) { await tab.bringToFront(); await shot(tab, `${at.name}-inside-ko`); await on.click(); }
  }
  same(said('the first tab comes in'), await arrives(lee.page, 'first tab'), 'GET /');
  same(said('the second tab comes in too'), await arrives(second, 'second tab'), 'GET /other');

  // A form as the first request.
  const park = await visitor();
  await park.page.goto(at.elsewhere, { waitUntil: 'load' });
  await Promise.all([park.page.waitForNavigation(), park.page.click('#order')]);
  must(said('a POST as first request leads to the waiting room'), park.page.url().startsWith(at.wait));
  await until('a place', async () => (await at.stats()).waiting === 1);
  await at.admit(1);
  same(said('after a POST one arrives at the service'), await arrives(park.page, 'park inside'), 'GET /');
  await park.page.goto(`${at.shop}/cart?a=1`, { waitUntil: 'load' });
  await at.ask('POST', `/v1/queues/${at.id}/sessions/complete`, { wids: [await wid(park)] });
  await Promise.all([park.page.waitForNavigation(), park.page.click('#order')]);
  await until('a place', async () => (await at.stats()).waiting === 1);
  await at.admit(1);
  same(said('after a POST from a page of the service one is back at that page'), await arrives(park.page, 'park again'), 'GET /cart?a=1');

  // Nothing is joined or used up by looks alone.
  const before = await at.stats();
  const bot = 'Mozilla/5.0 (compatible; facebookexternalhit/1.1)';
  const looks = [['HEAD', {}], ['GET', { 'User-Agent': bot }], ['GET', { 'Sec-Purpose': 'prefetch' }], ['GET', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }]];
  for (const [method, headers] of looks) await plain(`${at.gate}/w/${at.id}`, method, headers);
  must(said('HEAD, previews, prefetches and images join nothing'), (await at.stats()).totals.joined === before.totals.joined);

  // A code that was looked at by others, and whose answer was lost, still lets in.
  const choi = await visitor();
  await choi.page.goto(`${at.shop}/lost`, { waitUntil: 'load' });
  await choi.page.setRequestInterception(true);
  let code;
  choi.page.on('request', (request) => {
    if (!code && request.url().includes('/enter/') && request.url().includes('wr=')) { code = request.url(); request.abort(); } else request.continue();
  });
  await at.admit(1);
  await until('the code', () => code);
  const path = code.slice(at.shop.length);
  for (const [method, headers] of looks.slice(0, 3)) await plain(at.proxy + path, method, headers);
  // The whole way in, but the last answer never arrives; then the browser asks again.
  const jar = {};
  for (let at_ = path, hop = 0; hop < 3; hop += 1) {
    const answer = await plain(at.proxy + at_, 'GET', { cookie: Object.entries(jar).map((pair) => pair.join('=')).join('; ') });
    const step = answer.headers['set-cookie']?.find((cookie) => cookie.startsWith('wr_e_'));
    if (!step) break;
    const [name, value] = step.split(';')[0].split('=');
    jar[name] = value;
    at_ = answer.headers.location;
  }
  for (const [name, value] of Object.entries(jar)) await choi.page.setCookie({ name, value, url: at.shop });
  await choi.page.goto(code, { waitUntil: 'load' });
  same(said('looks at a code and a lost answer lock nobody out'), await arrives(choi.page, 'choi inside'), 'GET /lost');

  // What a browser meets by mistake are pages.
  for (const [path_, status] of [[`/w/q_0000000000000000`, 404], [`/w/${at.id}?rt=http%3A%2F%2Fevil.test`, 400], ['/nothing', 404], [`/w/${at.id}?rt=a&rt=b`, 400], [`/w/${at.id}/leave`, 200]]) {
    for (const lang of ['en', 'ko']) {
      const lost = await visitor(lang);
      const answer = await lost.page.goto(at.wait + path_, { waitUntil: 'load' });
      must(said(`${path_.replace(at.id, 'Q')} is a page (${lang})`), answer.status() === status && (await lost.page.$('main')) !== null);
      if (at.name === 'address') await shot(lost.page, `${path_.replace(at.id, 'Q').replace(/\W+/g, '-').slice(1, 24)}-${lang}`);
      await lost.close();
    }
  }
  // A browser that keeps no cookies is told, not sent in a circle.
  const strict = await plain(`${at.proxy}${path}&c=1`, 'GET', { accept: 'text/html' });
  must(said('without cookies there is a page, and no circle'), strict.status === 403 && strict.body.includes('cookies'));
  await Promise.all([kim, lee, park, choi].map((one) => one.close()));
}

/** Whom the service's session cookie names. */
async function wid(one) {
  const cookies = await one.page.cookies();
  const token = cookies.find((cookie) => cookie.name.startsWith('wr_s_')).value;
  return Buffer.from(token, 'base64url').subarray(5, 21).toString('hex');
}

for (const [name, proxy, waitHost, shopHost] of [['address', 'nginx', '127.0.0.1', '127.0.0.1'], ['names', 'nginx', 'wait.test', 'shop.test'],
  ['caddy', 'caddy', 'wait.test', 'shop.test']]) {
  if (only && only !== name) continue;
  let at;
  try {
    at = await world(name, proxy, waitHost, shopHost);
    await walks(at);
  } catch (error) {
    failures.push(`${name}: ${error.stack}`);
  }
  if (at) await at.end();
}
await browser.close();
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(failures.length === 0 ? 'everybody came in' : `${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
