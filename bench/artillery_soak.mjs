#!/usr/bin/env node
// WebSocket users for ten minutes against a server that pings and pushes, beside Artillery.
//
//   node bench/artillery_soak.mjs --loadline target/release/loadline --artillery .../artillery/bin/run
//
// Each program gets a server of its own and the same file: users connect, think, and send a
// message, which the server answers (no captures: the first pushed message after one ends
// Artillery's worker). Every second the server pushes a message nobody asked
// for, every five seconds it pings, and it closes one connection in twenty half-way. Both run at
// the same time. What is told: what each server saw (connections, messages, pongs, bytes, closes)
// and what each program counted. Needs `npm install --ignore-scripts` in tests/artillery/packages.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const require = createRequire(new URL('../tests/artillery/packages/package.json', import.meta.url));
const { WebSocketServer } = require('ws');

const { values } = parseArgs({
  options: {
    loadline: { type: 'string' },
    artillery: { type: 'string' },
    users: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '600' },
  },
});
const users = Number(values.users);
const seconds = Number(values.seconds);
const ARRIVAL = Math.min(20, seconds / 4);
const THINK = 5;
const turns = Math.max(1, Math.floor((seconds - ARRIVAL) / THINK));

const TEST = `config:
  target: "{{ $processEnvironment.WS_BASE }}"
  phases:
    - { duration: ${ARRIVAL}, arrivalCount: ${users} }
scenarios:
  - engine: ws
    flow:
      - loop:
          - think: ${THINK}
          - send: { ask: "{{ $loopCount }}" }
        count: ${turns}
`;

/** A server that pushes and pings; every twentieth connection is closed half-way. */
function serve() {
  const seen = { connections: 0, asked: 0, answered: 0, pushed: 0, pings: 0, pongs: 0, bytesIn: 0, bytesOut: 0, closedHere: 0 };
  const closes = {};
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (socket, request) => {
    const number = seen.connections++;
    const raw = request.socket;
    const push = setInterval(() => {
      seen.pushed += 1;
      socket.send(JSON.stringify({ news: number }));
    }, 1000);
    const ping = setInterval(() => {
      seen.pings += 1;
      socket.ping();
    }, 5000);
    const end = number % 20 === 0
      ? setTimeout(() => {
        seen.closedHere += 1;
        socket.close(1001, 'half-way');
      }, (seconds * 1000) / 2)
      : undefined;
    socket.on('message', (data) => {
      seen.asked += 1;
      seen.answered += 1;
      socket.send(data.toString());
    });
    socket.on('pong', () => { seen.pongs += 1; });
    socket.on('error', (error) => { closes[error.code] = (closes[error.code] ?? 0) + 1; });
    socket.on('close', (code) => {
      clearInterval(push);
      clearInterval(ping);
      clearTimeout(end);
      closes[code] = (closes[code] ?? 0) + 1;
      seen.bytesIn += raw.bytesRead;
      seen.bytesOut += raw.bytesWritten;
    });
  });
  return new Promise((done) => {
    server.on('listening', () => done({ server, seen, closes, port: server.address().port }));
  });
}

function run(program, args, folder, port) {
  const started = process.hrtime.bigint();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, WS_BASE: `ws://127.0.0.1:${port}`, ARTILLERY_DISABLE_TELEMETRY: 'true', XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((done) => {
    child.on('exit', (code) => done({ code, took: Number(process.hrtime.bigint() - started) / 1e9 }));
  });
}

async function side(program, before) {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  writeFileSync(join(folder, 'test.yml'), TEST);
  const { server, seen, closes, port } = await serve();
  const { code, took } = await run(program, [...before, 'run', '-q', '-o', 'out.json', 'test.yml'], folder, port);
  server.close();
  const { counters } = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')).aggregate;
  const counted = Object.entries(counters).filter(([name]) => /^(vusers\.(created|completed|failed)$|websocket|errors)/.test(name));
  return { exit: code, took: Number(took.toFixed(1)), ...seen, closes: JSON.stringify(closes), ...Object.fromEntries(counted) };
}

const [ours, theirs] = await Promise.all([
  side(resolve(values.loadline), []),
  side(process.execPath, [resolve(values.artillery)]),
]);
const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
console.log(`${users} users, ${seconds} s, ${turns} turns\n`);
console.log(`| at the server, then counted | loadline | Artillery |\n|---|---|---|`);
for (const name of names) {
  console.log(`| ${name} | ${ours[name] ?? '-'} | ${theirs[name] ?? '-'} |`);
}
