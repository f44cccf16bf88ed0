// Looks at the waiting room's pages in headless Chromium, as visitors and owners see them.
//
//   cd tools/page && npm ci --ignore-scripts && node check.mjs LOADLINE SCREENSHOTS
//
// Each page is shown in English and Korean, at 360 px and wider, light and dark; axe-core must find
// nothing, nothing may be wider than the window, and no request may leave the gate. Then a visitor
// waits, reloads, survives a restart of the gate and comes in, with JavaScript and without.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import puppeteer from 'puppeteer-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [loadline, shots, part = 'all'] = process.argv.slice(2); // part: all, looks, visits, owners
const home = mkdtempSync(join(tmpdir(), 'gate-page-'));
mkdirSync(shots, { recursive: true });
const failures = [];
const must = (what, holds) => { if (!holds) failures.push(what); };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, does, ms = 20000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
    const found = await Promise.resolve().then(does).catch(() => null);
    if (found) return found;
  }
  throw new Error(`never: ${what}`);
}

// The service that visitors come in to.
const entered = [];
const service = createServer((request, response) => {
  if (request.url.startsWith('/enter')) entered.push(request.url);
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>service</title><h1>inside</h1>');
});
await new Promise((done) => service.listen(0, '127.0.0.1', done));
const target = `http://127.0.0.1:${service.address().port}`;

let gate;
let said = '';
let addresses = ['127.0.0.1:0', '127.0.0.1:0'];
async function startGate() {
  const [visitors, owners] = addresses;
  said = '';
  gate = spawn(loadline, ['gate', '--data', `${home}/state`, '--public', visitors, '--admin', owners, '--lang', 'en', '--joins-per-address', '0']);
  gate.stdout.on('data', (text) => { said += text; });
  await until('the gate', () => said.includes('kept in'));
  addresses = said.match(/http:\/\/\S+/g).slice(0, 2).map((url) => url.slice(7));
  await until('ready', async () => (await fetch(`http://${addresses[1]}/readyz`)).ok);
}
await startGate();
const key = readFileSync((await until('the key', () => said.match(/Root key: in (\S+),/)))[1], 'utf8').trim();
const [visitors, owners] = addresses.map((address) => `http://${address}`);
async function ask(method, path, body, head = {}) {
  const answer = await fetch(owners + path, { method, headers: { Authorization: `Bearer ${key}`, ...head }, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}
// Two squares beside each other, 96 by 48 px.
const square = 'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAIAAABhdOiYAAAAYUlEQVR42u3QQQ0AMAgEsHOCz8nhh70pmA2WNKmC5lSvcierRJAgQYIECRIkSJAgQYIECRIkSJAgQYIECRIkSJAgQYIECRIkSJAgQYIECRIkSJAgQYIECRIkSJAgQYL+CHpZnYd4GRdWrwAAAABJRU5ErkJggg==';
writeFileSync(`${home}/logo.png`, Buffer.from(square, 'base64'));
const logo = `data:image/png;base64,${square}`;
const tenant = (await ask('POST', '/v1/tenants', { name: 'pages' })).id;
const queue = async (slug, rules) => (await ask('POST', '/v1/queues', {
  tenant, slug, redirect_origins: [target], redirect_to: `${target}/enter`, proof: 'code', ...rules,
})).id;
const crowd = async (id, count) => {
  for (let n = 0; n < count; n += 1) await ask('POST', `/v1/queues/${id}/waiters`, { user_id: `before-${n}` });
};

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true, args: ['--no-sandbox'] });
const foreign = [];

/** A visitor of his own: cookies, language, width, colours, with or without JavaScript. */
async function visitor({ lang = 'en', width = 360, dark = false, script = true }) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setExtraHTTPHeaders({ 'Accept-Language': lang });
  await page.setViewport({ width, height: 740, deviceScaleFactor: 2 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.setJavaScriptEnabled(script);
  page.on('request', (request) => { if (!request.url().startsWith(visitors) && !request.url().startsWith(owners) && !request.url().startsWith(target)) foreign.push(request.url()); });
  page.on('pageerror', (error) => failures.push(`script: ${error.message}`));
  page.on('console', (line) => { if (line.type() === 'error' && !/401|404|409|410|429|503|Failed to load/.test(line.text())) failures.push(`console: ${line.text()}`); });
  return page;
}

/** A page whose stream never opens and is tried again each second. */
async function retries(url) {
  const page = await visitor({ lang: 'ko' });
  await page.evaluateOnNewDocument(() => {
    window.EventSource = class extends EventTarget {
      readyState = 0;
      constructor() { super(); setInterval(() => this.dispatchEvent(new Event('error')), 1000); }
    };
  });
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

/** Takes a picture, and looks for what axe-core and a narrow window find. */
async function look(page, name, script = true) {
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  const wide = await page.$eval('html', (node) => node.scrollWidth - window.innerWidth);
  must(`${name} is ${wide} px wider than the window`, wide <= 0);
  if (!script) return; // without scripts a page reloads itself, also under the tool
  await page.evaluate(axe);
  const { violations } = await page.evaluate('axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })');
  for (const found of violations) failures.push(`${name}: ${found.id}: ${found.help}: ${found.nodes.map((node) => node.html).join(' ')}`);
  console.log(`${name}: ${violations.length} findings`);
}

const styles = [['en', 360, false], ['ko', 360, false], ['en', 360, true], ['ko', 1280, false]];
async function everywhere(name, address, prepare = async () => {}) {
  for (const [lang, width, dark] of styles) {
    const page = await visitor({ lang, width, dark });
    await prepare(page);
    await page.goto(address, { waitUntil: 'load' });
    await look(page, `${name}-${lang}-${width}${dark ? '-dark' : ''}`);
    await page.browserContext().close();
  }
}

/** An owner on a phone: a tenant, a queue, its page in two languages, keys made and revoked, a queue put away and opened again. */
async function settings(owner) {
  const seen = (selector, text) => until(`${text} in ${selector}`, () => owner.$eval(selector, (node, text) => node.innerText.includes(text), text));
  owner.on('dialog', (dialog) => dialog.accept());
  await owner.type('#tenant-name', '전화로 만든 상점');
  await owner.click('#new-tenant button');
  await until('the tenant', () => owner.$eval('#tenant', (node) => node.selectedOptions[0].text === '전화로 만든 상점'));
  await owner.type('#slug', 'phone');
  await owner.type('#service', `${target}/enter`);
  await owner.click('#new-queue button');
  await seen('#said', '/w/q_');
  await seen('#rows', 'phone');
  await owner.evaluate(() => [...document.querySelectorAll('#rows button')].find((button) => button.textContent === 'phone').click());
  await owner.type('#title-ko', '여름 세일');
  await owner.type('#notice-en', 'Opens at 10');
  await owner.type('#cors', 'https://app.shop.example');
  await (await owner.$('#logo')).uploadFile(`${home}/logo.png`);
  await owner.click('#looks button');
  await seen('#change-rows', 'https://app.shop.example');
  const made = (await ask('GET', '/v1/queues')).queues.find((queue) => queue.slug === 'phone');
  must('the owner\'s logo is served', (await fetch(visitors + made.page.logo)).headers.get('content-type') === 'image/png');
  must('the owner\'s texts and origins are set', made.page.texts.ko.title === '여름 세일' && made.page.texts.en.notice === 'Opens at 10' && made.cors_origins[0] === 'https://app.shop.example');
  await owner.type('#key-label', '결제 서버');
  await owner.click('#new-key button');
  const shown = await until('the key', () => owner.$eval('#made', (node) => node.textContent));
  const works = async () => (await fetch(`${owners}/v1/key`, { headers: { Authorization: `Bearer ${shown}` } })).status;
  must('a key made there works', await works() === 200);
  await owner.click('#rotate');
  await seen('#change-rows', '서명 키 교체');
  await look(owner, 'owner-settings-ko');
  await owner.click('#key-rows button');
  await seen('#change-rows', '폐기');
  must('and is refused once it is revoked', await works() === 401);
  await owner.click('#archive');
  await seen('#archived-rows', 'phone');
  await owner.click('#archived-rows button');
  await until('opened again', async () => (await ask('GET', '/v1/queues')).queues.some((queue) => queue.slug === 'phone'));
  await seen('#change-rows', '다시 엶');
}

try {
  // What there is to see.
  const waiting = await queue('waiting', { title: '여름 세일 / Summer sale', rate_per_s: 0.5, cap: 1000, claim_within_s: 600,
    page: { accent: '#7a1fa2', notice: 'Tickets are limited to four each. 1인당 4장까지 구매할 수 있습니다.' } });
  await ask('PATCH', `/v1/queues/${waiting}`, { page: { logo } });
  await crowd(waiting, 130);
  await sleep(1500);
  const looks = ['visits', 'owners'].includes(part) ? async () => {} : everywhere;
  await looks('waiting', `${visitors}/w/${waiting}`);
  const held = await queue('held', { mode: 'hold' });
  await looks('held', `${visitors}/w/${held}`);
  await looks('closed', `${visitors}/w/${await queue('closed', { mode: 'closed' })}`);
  const full = await queue('full', { mode: 'hold', max_waiting: 1 });
  await crowd(full, 1);
  await looks('full', `${visitors}/w/${full}`);
  const blocked = await queue('blocked', { mode: 'hold' });
  await ask('POST', `/v1/queues/${blocked}/block`, { user_id: 'kim', reason: 'bought four already' });
  await looks('no-queue', `${visitors}/w/q_0000000000000000`);

  // A visitor's way in: waits, reloads, the gate restarts, comes in.
  for (const script of ['looks', 'owners'].includes(part) ? [] : [true, false]) {
    const name = script ? 'script' : 'no-script';
    const id = await queue(name, { mode: 'hold', claim_within_s: 600 });
    await crowd(id, 2);
    const page = await visitor({ lang: 'ko', script });
    await page.goto(`${visitors}/w/${id}?rt=${encodeURIComponent(`${target}/enter?goods=1`)}`, { waitUntil: 'load' });
    const place = () => page.$eval('#ahead', (node) => node.textContent);
    const first = await place();
    must(`${name}: place, not ${first}`, first.includes('2'));
    await page.reload({ waitUntil: 'load' });
    must(`${name}: a reload keeps the place`, (await place()) === first);
    await look(page, `${name}-waiting`, script);
    if (!script) must('no-script: it reloads itself', (await page.content()).includes('http-equiv="refresh"'));
    const retrying = script && await retries(`${visitors}/w/${id}`);
    const ended = new Promise((done) => gate.on('exit', done));
    gate.kill('SIGTERM');
    await ended;
    const lost = () => page.$eval('#lost', (node) => node.textContent);
    if (script) {
      const also = () => retrying.$eval('#lost', (node) => node.textContent);
      must('tells the loss while the stream is tried again each second', (await until('the loss', also, 40000)).includes('연결'));
      await retrying.browserContext().close();
      const told = await until('the loss', lost, 40000);
      must('tells that the connection is lost, and that the place is kept', told.includes('연결') && (await place()) === first);
      await look(page, 'script-lost');
    }
    await startGate();
    if (script) await until('the end of the loss', async () => (await lost()) === '', 40000);
    if (!script) await page.reload({ waitUntil: 'load' });
    must(`${name}: a restart keeps the place`, (await place()) === first);
    await ask('POST', `/v1/queues/${id}/admit`, { count: 2 }, { 'Idempotency-Key': `${name}-1` });
    if (!script) await page.reload({ waitUntil: 'load' });
    await until(`${name}: next`, async () => (await place()).includes('다음'), 40000);
    await look(page, `${name}-next`, script);
    const before = entered.length;
    await ask('POST', `/v1/queues/${id}/admit`, { count: 1 }, { 'Idempotency-Key': `${name}-2` });
    if (!script) {
      await until('the button', async () => { await page.reload({ waitUntil: 'load' }); return page.$('#enter button'); });
      await look(page, 'no-script-ready', false);
      await Promise.all([page.waitForNavigation(), page.click('#enter button')]);
    }
    await until(`${name}: inside`, () => entered.length > before, 40000);
    await until(`${name}: at the service`, () => page.url().startsWith(`${target}/enter?goods=1&wr=`));
    const code = new URL(target + entered.at(-1)).searchParams.get('wr');
    const shown = await ask('POST', '/v1/token/exchange', { queue: id, code });
    must(`${name}: the code counts`, shown.seq === 3);
    await page.browserContext().close();
  }

  // Giving the place up, without JavaScript.
  const page = await visitor({ lang: 'en', script: false });
  await page.goto(`${visitors}/w/${held}`, { waitUntil: 'load' });
  const asks = await page.$eval('#leave button', (node) => !node.checkVisibility());
  must('asks before a place is given up', asks);
  await page.click('#leaving summary');
  await Promise.all([page.waitForNavigation(), page.click('#leave button')]);
  await look(page, 'left', false);
  await page.browserContext().close();

  // Owners.
  for (const [lang, width, dark] of ['all', 'owners'].includes(part) ? styles : []) {
    const owner = await visitor({ lang, width, dark });
    await owner.goto(`${owners}/`, { waitUntil: 'load' });
    if (width === 360 && !dark) await look(owner, `owner-key-${lang}`);
    await owner.type('#key', key);
    await owner.click('#enter button');
    await owner.waitForSelector('#rows tr');
    await owner.evaluate((id) => document.querySelector(`[data-queue="${id}"]`).click(), waiting);
    await owner.waitForSelector('#one:not([hidden])');
    await owner.type('#who', 'before-120');
    await owner.click('#search button');
    await owner.waitForSelector('#found:not([hidden])');
    if (lang === 'en' && !dark) {
      await owner.type('#reason', 'asked to');
      await owner.click('[data-deed="block"]');
      await until('blocked', () => owner.$eval('#standing', (node) => node.textContent.includes('blocked')));
      await owner.click('[data-deed="unblock"]');
      await until('unblocked', () => owner.$eval('#standing', (node) => !node.textContent.includes('blocked')));
      await owner.select('#mode', 'hold');
      await owner.click('#rules button');
      await until('held', async () => (await ask('GET', `/v1/queues/${waiting}`)).mode === 'hold');
    }
    if (lang === 'ko' && width === 360 && !dark) await settings(owner);
    await sleep(2500);
    await look(owner, `owner-${lang}-${width}${dark ? '-dark' : ''}`);
    await owner.browserContext().close();
  }
} catch (error) {
  failures.push(error.stack);
}
must(`requests to others: ${foreign}`, foreign.length === 0);
await browser.close();
gate.kill('SIGTERM');
service.close();
rmSync(home, { recursive: true });
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(failures.length === 0 ? 'the pages are fine' : `${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
