// Two people who see the pages for the first time: one who has a URL and nothing else, and one who
// compares two runs and takes the answer away. Each step leaves a picture.
import { join } from 'node:path';

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function visitor({ browser, lang, width, shots, must }, name) {
  const page = await browser.newPage();
  page.on('pageerror', (error) => must(`${name} ${lang} ${width}: ${error.message}`, false));
  await page.setViewport({ width, height: 900 });
  await page.evaluateOnNewDocument((value) => localStorage.setItem('lang', value), lang);
  let steps = 0;
  const step = async (what, holds = true) => {
    steps += 1;
    must(`${name} ${lang} ${width}: ${what}`, holds);
    await page.screenshot({ path: join(shots, `${name}-${lang}-${width}-${steps}.png`), fullPage: true });
    must(`${name} ${lang} ${width}: ${what}: wider than the window`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  };
  return { page, step };
}

const press = async (page, place) => (await page.$$('form.start p.buttons button'))[place].click();

async function type(page, values) {
  const fields = await page.$$('input[type=number]');
  for (const [place, value] of values.entries()) {
    await fields[place].click({ clickCount: 3 });
    await fields[place].type(value);
  }
}

/** Pastes a URL, validates it, plans it for later, runs it, reads the run, clones it. */
export async function newcomer(of) {
  const { page, step } = await visitor(of, 'newcomer');
  await page.goto(`http://${of.address}/new`, { waitUntil: 'load' });
  const told = (kind) => page.waitForFunction((of) => document.querySelector(`[role=status] p.${of}`), { timeout: 60000 }, kind);
  await page.waitForSelector('input[type=url]');
  await page.type('input[type=url]', 'http://127.0.0.1:1/');
  await press(page, 1);
  await told('bad');
  await step('says that nothing listens there', (await page.$eval('[role=status] pre', (words) => words.textContent)).includes('127.0.0.1:1'));
  await page.click('input[type=url]', { clickCount: 3 });
  await page.type('input[type=url]', of.url);
  await press(page, 1);
  await told('good');
  await step('is valid');
  await type(page, ['20', '8', '2']);
  await page.type('textarea', 'p(95)<5s\nerrors<50%');
  const preview = await page.$eval('.preview', (figure) => [Number(figure.querySelector('rect').getAttribute('width')), figure.textContent]);
  await step('the preview shows the warm-up as a quarter of the time', preview[0] === 75 && preview[1].includes('20 /s · 8 s'));
  await page.$eval('input[type=datetime-local]', (field) => {
    const later = new Date(Date.now() + 3600000 - new Date().getTimezoneOffset() * 60000);
    field.value = later.toISOString().slice(0, 19);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(page, 0);
  await page.waitForSelector('section table button');
  await step('waits for its time');
  await page.click('section table button');
  await page.waitForFunction(() => !document.querySelector('section table'));
  await press(page, 0);
  await page.waitForFunction(() => location.pathname.startsWith('/runs/'), { timeout: 60000 });
  await page.waitForFunction(() => document.querySelector('button.danger') && document.querySelector('#validity'), { timeout: 60000 });
  await page.waitForFunction(() => /of 8 s|8초 중/.test(document.querySelector('.facts').textContent), { timeout: 60000 });
  await step('is seen while it goes on, with how much of it has passed');
  await page.waitForFunction(() => document.querySelector('.verdict') && !document.querySelector('button.danger'), { timeout: 60000 });
  await sleep(500);
  const goals = await page.$$eval('#goals tbody tr', (rows) => rows.length);
  await step('has both goals and a verdict', goals === 2);
  const buttons = await page.$$('.buttons > button');
  await buttons[0].click();
  await page.waitForFunction(() => location.pathname === '/new' && document.querySelector('textarea')?.value, { timeout: 60000 });
  const fields = await page.$$eval('input[type=number], input[type=url], textarea', (all) => all.map((field) => field.value));
  await step(`is cloned into the fields, not ${fields}`, JSON.stringify(fields) === JSON.stringify([of.url, '20', '8', '2', 'p(95)<5s\nerrors<50%']));
  await press(page, 0);
  await page.waitForFunction(() => document.querySelector('.verdict') && location.pathname.startsWith('/runs/'), { timeout: 60000 });
  await page.waitForFunction(() => !document.querySelector('button.danger'), { timeout: 60000 });
  await step('has run once more');
  await page.close();
}

/** Chooses two runs of the list, compares them, takes the report and JUnit away. */
export async function comparer(of) {
  const { page, step } = await visitor(of, 'comparer');
  await page.goto(`http://${of.address}/`, { waitUntil: 'load' });
  await page.waitForSelector('tbody input[type=checkbox]');
  const boxes = await page.$$('tbody input[type=checkbox]');
  for (const box of boxes.slice(0, 2)) await box.click();
  await step('has chosen two runs');
  await page.click('.filters button');
  await page.waitForFunction(() => location.pathname === '/compare' && document.querySelector('.verdict .word'), { timeout: 60000 });
  await sleep(1000);
  await step('reads the comparison');
  const saved = await page.evaluate(async () => {
    const links = [...document.querySelectorAll('.buttons a[download]')].map((link) => link.href);
    const read = async (form) => (await fetch(links.find((link) => link.includes(`.${form}?`)))).text();
    const junit = new DOMParser().parseFromString(await read('xml'), 'application/xml');
    return { html: await read('html'), json: JSON.parse(await read('json')), broken: junit.querySelector('parsererror') !== null, cases: junit.querySelectorAll('testcase').length };
  });
  await step('takes the report, its numbers and JUnit away', saved.html.startsWith('<!') && saved.json !== null && !saved.broken && saved.cases > 0);
  await page.close();
}
