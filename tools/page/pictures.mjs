// Makes the pictures of the READMEs and the guide: the page of a run that goes on, and its report.
//
//   cd tools/page && npm ci --ignore-scripts && node pictures.mjs LOADLINE IMAGES
//
// A run of the built-in target, whose connection pool limits it, is shown after 28 of its 45 seconds and
// when it is over, in both languages. Programs run at real-time priority where that is allowed, so that a
// busy machine does not make its generator the bottleneck; without it nothing else should run. Pictures of
// a study (study-*.png) are screenshots of `loadline serve` after docs/guide/case-d.md; run.svg is text.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const [loadline, images] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'pictures-'));
const store = join(home, 'runs.db');
const first = spawnSync('chrt', ['-f', '10', 'true']).status === 0 ? ['chrt', '-f', '10'] : [];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Starts a program; waits until it has said something that fits. */
async function started(args, expected) {
  const [program, ...rest] = [...first, loadline, ...args];
  const process = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [process.stdout, process.stderr]) stream.on('data', (text) => { said += text; });
  for (let looks = 0; looks < 300 && !expected.test(said); looks += 1) await sleep(100);
  const found = expected.exec(said);
  if (!found) throw new Error(`never said: ${expected}: ${said}`);
  return [process, found];
}

const [demo, [target]] = await started(['demo', '--address', '127.0.0.1:0'], /http:\/\/127\.0\.0\.1:\d+/);
const settings = '{"pool":{"max":10},"pooled":{"downstream_ms":150}}';
execFileSync(loadline, ['run', `${target}/settings`, '-m', 'PUT', '-b', settings, '--once', '--no-store']);
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setViewport({ width: 1180, height: 1120 });
try {
  const [run, link] = await started(['run', `${target}/pooled`, '--rate', '54/s', '--duration', '45s', '--arrivals-seed', '7', '--slo', 'p(95)<500ms', '--slo', 'errors<1%',
    '--observe', `${target}/metrics`, '--store', store, '--ui=127.0.0.1:0'], /(http:\/\/127\.0\.0\.1:\d+)\/(\S*)/);
  const ended = new Promise((done) => run.on('exit', done));
  await page.goto(link[0], { waitUntil: 'load' });
  await sleep(27000);
  for (const lang of ['en', 'ko']) {
    await page.evaluateOnNewDocument((value) => { try { localStorage.setItem('lang', value); } catch { /* a file has none */ } }, lang);
    await page.goto(`${link[1]}/runs/latest`, { waitUntil: 'load' });
    await page.waitForSelector('.figures b');
    await sleep(1500);
    await page.screenshot({ path: join(images, `live-${lang}.png`) });
  }
  await page.goto('about:blank');
  await ended;
  await page.setViewport({ width: 1120, height: 1240 });
  for (const lang of ['en', 'ko']) {
    const report = join(home, `${lang}.html`);
    execFileSync(loadline, ['report', 'latest', '--lang', lang, '-o', report, '--store', store], { stdio: 'ignore' });
    await page.goto(`file://${report}`, { waitUntil: 'load' });
    await page.screenshot({ path: join(images, `report-${lang}.png`) });
  }
} finally {
  demo.kill();
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
