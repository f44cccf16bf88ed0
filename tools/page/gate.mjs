// What walks through a gate start with: a gate of their own, free ports, patience.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { readFileSync } from 'node:fs';

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
export const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => { const { port } = server.address(); server.close(() => done(port)); });
});

export async function until(what, does, ms = 10000) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
    const found = await Promise.resolve().then(does).catch(() => null);
    if (found) return found;
  }
  throw new Error(`never: ${what}`);
}

/** A gate that keeps its state in `home`, ready; `ask` calls the owners' part with its root key. */
export async function startGate(loadline, home, publicUrl) {
  const [visitors, owners] = await Promise.all([freePort(), freePort()]);
  let said = '';
  const gate = spawn(loadline, ['gate', '--data', `${home}/state`, '--public', `127.0.0.1:${visitors}`, '--admin', `127.0.0.1:${owners}`,
    '--public-url', publicUrl(visitors), '--lang', 'en', '--joins-per-address', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  gate.stdout.on('data', (text) => { said += text; });
  const key = readFileSync((await until('the key', () => said.match(/Root key: in (\S+),/)))[1], 'utf8').trim();
  await until('ready', async () => (await fetch(`http://127.0.0.1:${owners}/readyz`)).ok);
  const ask = async (method, path, body, head = {}) => {
    const answer = await fetch(`http://127.0.0.1:${owners}${path}`, { method, headers: { Authorization: `Bearer ${key}`, ...head }, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  return { gate, visitors, owners, key, ask };
}
