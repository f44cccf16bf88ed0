// Looks at the web UI and at reports in headless Chromium, as a person sees them.
//
//   cd tools/page && npm ci --ignore-scripts && node ui.mjs LOADLINE SCREENSHOTS [looks|live|walks|all [GUIDE]]
//
// looks: each page and the HTML report in English and Korean, light and dark, at 390 px and wide; their
// upper parts are kept in GUIDE (docs/guide/pages), as small files, when that folder is named.
// axe-core must find nothing, nothing may be wider than the window, no request may leave the server,
// labels of charts may not overlap, and no English sentence may stand on a Korean page.
// Charts of a dozen stored runs, of one second and of half a minute, of one request and of thousands,
// are looked at for labels that overlap; a report is printed.
// walks: a newcomer and a comparer find their way, in both languages, wide and at 390 px.
// live: a test is started from the form and steered; the page survives a reload and a restart of
// the server; the numbers at the end are those of the stored summary.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import puppeteer from 'puppeteer-core';
import { labelsOf, watchLabels } from './labels.mjs';
import { comparer, newcomer } from './walks.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [loadline, shots, part = 'all', guide] = process.argv.slice(2);
// Where that is allowed, runs have real-time priority, so that a busy machine does not make them invalid.
const first = spawnSync('chrt', ['-f', '10', 'true']).status === 0 ? ['chrt', '-f', '10'] : [];
const home = mkdtempSync(join(tmpdir(), 'ui-page-'));
// The secret that opens the pages, too, is this program's own.
process.env.XDG_DATA_HOME = home;
const store = join(home, 'runs.db');
mkdirSync(shots, { recursive: true });
const failures = [];
const must = (what, holds) => { if (!holds) failures.push(what); };
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
async function until(what, does, ms = 60000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(100)) {
    const found = await Promise.resolve().then(does).catch(() => null);
    if (found) return found;
  }
  throw new Error(`never: ${what}`);
}

// A target that answers at different speeds, and sometimes with what no page may run.
const evil = '</script><img src=x onerror="window.xss=1">\u001b[2J\u202egnp.exe';
let requests = 0;
const target = createServer((request, response) => {
  requests += 1;
  const wait = { '/fast': 0, '/slow': 2500 }[request.url] ?? 5 + 60 * Math.abs(Math.sin(requests));
  const fails = requests % 25 === 0;
  setTimeout(() => {
    if (fails) response.writeHead(503, evil.replace(/[^ -~]/g, ''), { 'X-Evil': evil.replace(/[^ -~]/g, ''), 'Content-Type': 'text/plain' });
    else response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.end(fails ? evil + 'A'.repeat(1000000) : 'ok');
  }, wait);
});
await new Promise((done) => target.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${target.address().port}`;

/** What loadline prints, whatever its exit code is. */
function run(...args) {
  try {
    return execFileSync(loadline, [...args, '--store', store], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return error.stdout;
  }
}

/** The same while this process goes on to answer. */
function start(...args) {
  const [program, ...rest] = [...first, loadline, ...args, '--store', store];
  return new Promise((done) => spawn(program, rest, { stdio: 'ignore' }).on('exit', done));
}

let server;
async function serve(address) {
  let said = '';
  server = spawn(loadline, ['serve', '--address', address, '--store', store], { env: { ...process.env, XDG_RUNTIME_DIR: home } });
  server.stdout.on('data', (text) => { said += text; });
  const [, own] = await until('the server', () => /(http:\/\/[0-9.:]+\/\?token=\S+)/.exec(said));
  return [own.split('/')[2], await visit(own)];
}

/** Opens a link; gives the token for what is asked without a browser. */
async function visit(link) {
  const page = await browser.newPage();
  await page.goto(link, { waitUntil: 'load' });
  must(`no token stays in ${page.url()}`, !page.url().includes('token'));
  must('no token stays in the history', await page.evaluate(() => history.length) <= 2);
  await page.close();
  return run('access', '--token').trim();
}

/** What the server answers, as JSON. */
const read = async (address, token, path) => (await fetch(`http://${address}${path}`, { headers: { Authorization: `Bearer ${token}` } })).json();

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Waits until a page has its answer and has drawn it; a busy machine takes its time. */
async function settled(page) {
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy=true]'), { timeout: 60000 });
  await sleep(1000);
}

/** Chooses a file, so that its load is shown. */
async function chooseFile(page) {
  await page.click('input[type=radio][value=file]');
  const field = await page.waitForSelector('input[type=file]');
  await field.uploadFile(join(home, 'checkout.js'));
  await page.waitForSelector('.planned canvas', { timeout: 60000 });
}

async function look(name, address, lang, scheme, width, prepare = () => {}) {
  const page = await browser.newPage();
  const title = `${name} ${lang} ${scheme} ${width}`;
  page.on('pageerror', (error) => failures.push(`${title}: ${error.message}`));
  page.on('request', (request) => must(`${title}: asks ${request.url()}`, ['http://127.0.0.1', 'file:', 'data:'].some((own) => request.url().startsWith(own))));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.evaluateOnNewDocument((value) => { try { localStorage.setItem('lang', value); } catch { /* a file has none */ } }, lang);
  await watchLabels(page);
  await page.goto(address, { waitUntil: 'load' });
  await settled(page);
  await prepare(page);
  await page.screenshot({ path: join(shots, `${name}-${lang}-${scheme}-${width}.png`), fullPage: true });
  if (guide) {
    const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), 1500);
    await page.screenshot({ path: join(guide, `${name}-${lang}-${scheme}-${width}.webp`), type: 'webp', quality: 55, clip: { x: 0, y: 0, width, height }, captureBeyondViewport: true });
  }
  must(`${title}: wider than the window`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  must(`${title}: runs what a target sent`, await page.evaluate(() => window.xss === undefined && document.querySelector('img') === null));
  const { clashes } = await labelsOf(page);
  must(`${title}: labels overlap: ${clashes}`, clashes.length === 0);
  if (lang === 'ko') {
    const english = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const own = node.parentElement?.closest('pre, code, .tag, a, option, script, style, h1');
        // Five English words in a row are a sentence; commands and names are shorter or marked.
        if (!own && /\b[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}\b/i.test(node.data)) found.push(node.data);
      }
      return found;
    });
    must(`${title}: English: ${english.join(' | ')}`, english.length === 0);
  }
  // The page forbids scripts from elsewhere, so the check is let in after everything else.
  const session = await page.createCDPSession();
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.reload({ waitUntil: 'load' });
  await settled(page);
  await prepare(page);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run()).violations.map((one) => `${one.id} (${one.impact}) ${one.nodes[0].html.slice(0, 120)}`));
  must(`${title}: axe: ${found.join(' | ')}`, found.length === 0);
  await page.close();
}

/** Whether labels overlap in the charts of stored runs, on their pages and in their reports. */
async function charts(address, token) {
  const loads = [
    [`${url}/fast`, '--vus', '20', '--duration', '2s'], [`${url}/fast`, '--rate', '900/s', '--duration', '4s'],
    [`${url}/slow`, '--rate', '3/s', '--duration', '10s'], [url, '--rate', '0.3/s', '--duration', '7s'],
    [url, '--vus', '1', '--duration', '1s'], [url, '--rate', '30/s', '--duration', '31s', '--warmup', '5s'],
  ];
  await Promise.all(loads.map((load) => start('run', ...load, '--quiet')));
  const { runs } = await read(address, token, '/api/runs');
  must('all runs are over', runs.every((one) => !one.running));
  must(`a dozen runs are stored, not ${runs.length}`, runs.length >= 12);
  const page = await browser.newPage();
  await watchLabels(page);
  for (const { name, test } of runs) {
    const report = join(home, `${name}.html`);
    run('report', name, '-o', report);
    for (const [width, place] of [1180, 390].flatMap((width) => [`http://${address}/runs/${name}`, `file://${report}`].map((place) => [width, place]))) {
      await page.setViewport({ width, height: 900 });
      await page.goto(place, { waitUntil: 'load' });
      // A busy machine takes its time to draw.
      await until('labels', async () => (await labelsOf(page)).count > 10, 10000).catch(() => null);
      await sleep(300);
      const { clashes, count } = await labelsOf(page);
      must(`${test} ${width} ${place}: labels overlap: ${clashes}`, clashes.length === 0);
      must(`${test} ${width} ${place}: has labels`, count > 10);
    }
  }
  // On paper, in the light whatever the reader's setting is.
  await page.goto(`file://${join(home, `${runs.at(-1).name}.html`)}`, { waitUntil: 'load' });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  const paper = await page.pdf({ path: join(shots, 'report.pdf'), format: 'A4', printBackground: true });
  const pages = Buffer.from(paper).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
  must(`a report is printed on some pages, not ${pages}`, pages >= 2 && pages <= 12);
  await page.close();
}

/** Links: of a person who is to look only, in a page of another site, and no link at all. */
async function links(address) {
  const link = (...flags) => run('access', '--address', address, ...flags).trim();
  const texts = (page) => page.$$eval('button, a.button, nav a', (all) => all.map((one) => one.textContent.trim()));
  const visitor = await browser.createBrowserContext();
  const page = await visitor.newPage();
  await page.goto(`http://${address}/runs/latest`, { waitUntil: 'load' });
  must('a stranger is told in two languages', await page.$$eval('.state[lang]', (all) => all.map((one) => one.lang).join()) === 'en,ko');
  must('a stranger sees the command', (await page.$eval('pre', (one) => one.textContent)).includes(`loadline access --address http://${address}`));
  await page.screenshot({ path: join(shots, 'closed.png') });
  // Another site: `localhost` is none of 127.0.0.1.
  const other = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<a id="link" href="${link('--role', 'read')}">link</a> <a id="plain" href="http://${address}/">plain</a>`);
  });
  await new Promise((done) => other.listen(0, '127.0.0.1', done));
  for (const id of ['link', 'plain']) {
    await page.goto(`http://localhost:${other.address().port}/`, { waitUntil: 'load' });
    await page.click(`#${id}`);
    await page.waitForSelector('tbody a', { timeout: 20000 });
    must(`a ${id} of another site opens ${page.url()}`, page.url() === `http://${address}/`);
  }
  must('who only looks is offered no test', !(await texts(page)).includes('New test'));
  await page.click('tbody a');
  await page.waitForFunction(() => document.querySelector('.verdict') && location.pathname.startsWith('/runs/'));
  const shown = await texts(page);
  must(`who only looks saves and removes nothing: ${shown}`, shown.includes('JSON') && !shown.includes('Remove') && !shown.includes('Run again'));
  other.close();
  await visitor.close();
}

async function walks() {
  const [address, token] = await serve('127.0.0.1:0');
  for (const lang of ['en', 'ko']) {
    for (const width of [1180, 390]) {
      const of = { browser, address, token, url: `${url}/`, lang, width, shots, must };
      await newcomer(of);
      await comparer(of);
    }
  }
  await links(address);
  server.kill('SIGINT');
  await new Promise((done) => server.on('exit', done));
}

async function looks() {
  await start('run', url, '--rate', '40/s', '--duration', '8s', '--slo', 'p(95)<40ms', '--slo', 'errors<10%', '--note', 'before', '--quiet');
  await start('run', url, '--rate', '40/s', '--duration', '8s', '--warmup', '2s', '--slo', 'errors<10%', '--note', 'after', '--quiet');
  const capacity = join(home, 'capacity.html');
  await start('capacity', url, '--slo', 'p(95)<300ms', '--max-rate', '80/s', '--budget', '60s', '--confirm', '8s', '--no-soak', '--report', capacity);
  // A study whose knob changes nothing.
  const study = join(home, 'study.yaml');
  writeFileSync(study, `test: ${url} --rate 40/s --duration 2s
goal: throughput max
pause: 0s
knobs: [{name: pool, values: [5, 10], now: 10, command: ['true', '{value}']}]
budget: {trials: 6}
`);
  await start('tune', study, '--quiet');
  writeFileSync(join(home, 'checkout.js'), `import http from 'k6/http';
export const options = { scenarios: {
  browse: { executor: 'ramping-vus', stages: [{ duration: '1m', target: 40 }, { duration: '3m', target: 40 }, { duration: '30s', target: 0 }] },
  pay: { executor: 'ramping-arrival-rate', startRate: 5, preAllocatedVUs: 20, stages: [{ duration: '2m', target: 30 }, { duration: '2m', target: 30 }] },
} };
export default function () { http.get('${url}'); }
`);
  const [address, token] = await serve('127.0.0.1:0');
  const going = start('run', url, '--rate', '40/s', '--duration', '1h', '--slo', 'p(95)<80ms', '--slo', 'errors<10%', '--quiet', '--ui=127.0.0.1:0');
  const live = await until('a run that goes on', async () => (await read(address, token, '/api/runs')).runs.find((one) => one.running));
  await sleep(15000);
  const { studies } = await read(address, token, '/api/studies');
  must('the study is listed', studies.length === 1 && studies[0].trials === 6);
  const pages = { studies: 'studies', study: `studies/${studies[0]?.name}`, runs: '', run: 'runs/latest~8', live: `runs/${live.name}`, capacity: 'runs/latest~7', compare: 'compare?before=latest~9&after=latest~8', rounds: 'rounds?round=latest~9&round=latest~8&goal=p95%3C500ms', plan: 'plan', new: 'new', preview: 'new', missing: 'runs/none' };
  for (const lang of ['en', 'ko']) {
    const report = join(home, `report-${lang}.html`);
    run('report', 'latest~8', '--lang', lang, '-o', report);
    const ofStudy = join(home, `study-${lang}.html`);
    run('report', study, '--lang', lang, '-o', ofStudy);
    for (const scheme of ['light', 'dark']) {
      for (const width of [1180, 390]) {
        for (const [name, path] of Object.entries(pages)) {
          await look(name, `http://${address}/${path}`, lang, scheme, width, name === 'preview' ? chooseFile : undefined);
        }
        await look('report', `file://${report}`, lang, scheme, width);
        await look('report-study', `file://${ofStudy}`, lang, scheme, width);
      }
    }
  }
  await fetch(`http://${address}/api/runs/${live.name}/control`, { method: 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: '{"action":"stop"}' });
  await going;
  await charts(address, token);
  server.kill('SIGINT');
}

async function live() {
  let [address, token] = await serve('127.0.0.1:0');
  const page = await browser.newPage();
  await page.setViewport({ width: 1180, height: 900 });
  await page.goto(`http://${address}/new`, { waitUntil: 'load' });
  await page.waitForSelector('input[type=url]');
  await page.type('input[type=url]', url);
  const [rate, duration] = await page.$$('input[type=number]');
  for (const [field, value] of [[rate, '40'], [duration, '60']]) {
    await field.click({ clickCount: 3 });
    await field.type(value);
  }
  await page.click('button.main');
  await page.waitForFunction(() => location.pathname.startsWith('/runs/'));
  const name = await page.evaluate(() => location.pathname.split('/')[2]);
  await page.waitForFunction(() => document.querySelector('button.danger'));
  const press = async (text) => {
    const [button] = await page.$$(`xpath/.//button[normalize-space()="${text}"]`);
    await button.click();
    await page.waitForFunction(() => document.querySelector('.acted')?.textContent !== '');
    must(`${text} works`, await page.$eval('.acted', (of) => of.textContent === 'Done.'));
    await sleep(300);
  };
  await press('+10 %');
  await press('Hold');
  await press('Resume');
  await page.type('input[aria-label="Annotation"]', 'cache off');
  await press('Add');
  await sleep(4000);
  await page.screenshot({ path: join(shots, 'live-en-light-1180.png'), fullPage: true });
  await page.reload({ waitUntil: 'load' });
  await page.waitForFunction(() => document.querySelector('.verdict'));
  server.kill('SIGINT');
  await new Promise((done) => server.on('exit', done));
  await page.waitForFunction(() => document.querySelector('.stale'), { timeout: 30000 });
  [address, token] = await serve(address);
  await page.waitForFunction(() => !document.querySelector('.stale'), { timeout: 30000 });
  await page.waitForFunction(() => !document.querySelector('button.danger') && document.querySelector('.verdict'), { timeout: 90000 });
  await sleep(1000);
  const shown = await page.$$eval('.figures b', (all) => all.map((one) => one.textContent));
  const summary = run('show', name, '--events');
  must(`the page's ${shown[0]}/s stands in the summary`, summary.includes(`${shown[0]}/s`));
  must(`the page's p95 of ${shown[1]} stands in the summary`, summary.includes(`${shown[1]} ms`));
  for (const event of ['"change":"scaled","to":1.1', '"change":"paused"', '"change":"resumed"', '"text":"cache off"']) {
    must(`the record has ${event}`, summary.includes(event));
  }
  server.kill('SIGINT');
}

try {
  if (['walks', 'all'].includes(part)) await walks();
  if (['live', 'all'].includes(part)) await live();
  if (['looks', 'all'].includes(part)) await looks();
} catch (error) {
  failures.push(String(error.stack ?? error));
}
server?.kill('SIGINT');
await browser.close();
target.close();
rmSync(home, { recursive: true, force: true });
console.log(failures.length === 0 ? 'all holds' : `FAILED:\n${failures.join('\n')}`);
process.exit(failures.length === 0 ? 0 : 1);
