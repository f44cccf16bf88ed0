// What a request does, step by step.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const { Worker } = require('node:worker_threads');
const { now } = require('./parts.js');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 });
const failure = (status, message) => Object.assign(new Error(message), { status });
const fill = (sql, id, ms) => sql.replace('$1', id).replace('$2', (ms / 1000).toFixed(5));

// Uses so much CPU time of the process, whatever else runs on the machine; it leaves no garbage behind.
function compute(ms) {
  const began = process.cpuUsage();
  let used = 0;
  while (used < ms * 1000) {
    for (let turn = 0; turn < 200000; turn += 1) mixed = Math.imul(mixed ^ turn, 0x01000193);
    const since = process.cpuUsage(began);
    used = since.user + since.system;
  }
}
let mixed = 1;

// A call that the loop waits for, as libraries that make asynchronous calls look synchronous do: a thread makes it.
class BlockingCaller {
  constructor() {
    this.signal = new Int32Array(new SharedArrayBuffer(4));
    this.worker = new Worker(`${__dirname}/caller.js`, { workerData: this.signal });
    this.worker.unref();
  }

  call(url) {
    Atomics.store(this.signal, 0, 0);
    this.worker.postMessage(url);
    Atomics.wait(this.signal, 0, 0, 30000);
    return Atomics.load(this.signal, 0);
  }
}

class Request {
  constructor(app, id, span) {
    Object.assign(this, { app, id, span, connection: null });
  }

  async run(steps) {
    for (const step of steps) await this[step.do.replace('-', '_')](step);
  }

  async pool(step) {
    const { tracer, pools } = this.app;
    const span = tracer.child(this.span, 'pg-pool.connect', { 'db.system': 'postgresql' });
    let taken = false;
    try {
      await pools[step.of].withConnection(async (connection) => {
        taken = true;
        tracer.end(span);
        this.connection = connection;
        await this.run(step.steps);
        this.connection = null;
      });
    } finally {
      if (!taken) tracer.end(span);
    }
  }

  async sql(step) {
    const ms = step.slow_every && this.id % step.slow_every === 0 ? step.slow_ms : step.ms;
    for (let time = 0; time < Math.max(1, step.times || 1); time += 1) {
      const span = this.app.tracer.child(this.span, 'pg.query:SELECT shop', { 'db.system': 'postgresql', 'db.statement': step.sql });
      await this.connection.query(fill(step.sql, this.id, ms), ms);
      this.app.tracer.end(span);
    }
  }

  async row(step) {
    await this.connection.query('begin', 0);
    const span = this.app.tracer.child(this.span, 'pg.query:UPDATE shop', { 'db.system': 'postgresql', 'db.statement': step.sql });
    await this.connection.query(fill(step.sql, this.id, 0), 0);
    this.app.tracer.end(span);
    await this.app.rows.use(() => this.run(step.steps));
    await this.connection.query('commit', 0);
  }

  lock(step) {
    return this.app.locks[step.of].use(() => this.run(step.steps));
  }

  executor(step) {
    return this.app.executors[step.of].use(() => this.run(step.steps));
  }

  async call(step) {
    for (let attempt = 0; ; attempt += 1) {
      const { status, after } = await this.callOnce(step);
      if (status && status < 400) return;
      const what = `${step.of} answered ${status || 'nothing'}`;
      if (attempt >= (step.retries || 0)) throw failure(502, what);
      this.app.log('warn', `retry ${attempt + 1}: ${what}`);
      await sleep(after);
    }
  }

  callOnce(step) {
    const began = now();
    const url = `${step.url}?ms=${step.ms}`;
    const { hostname, port } = new URL(url);
    const span = this.app.tracer.child(this.span, 'GET', { 'http.request.method': 'GET', 'url.full': url, 'server.address': hostname, 'server.port': Number(port) });
    return new Promise((resolve) => {
      const done = (status, after) => {
        this.app.tracer.end(span, { 'http.response.status_code': status });
        this.app.page.called(step.of, status, now() - began);
        resolve({ status, after });
      };
      // Node keeps no names: each call asks for the address anew.
      const lookup = step.name ? { lookup: (name, options, found) => this.lookup(name, span, options, found), agent: false } : {};
      http.get(url, { agent, timeout: 30000, ...lookup }, (answer) => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode, 1000 * Number(answer.headers['retry-after'] || 0) || 50 + 100 * Math.random()));
      }).on('error', () => done(0, 100));
    });
  }

  lookup(name, parent, options, found) {
    const span = this.app.tracer.child(parent, 'dns.lookup', {});
    this.app.names.resolve4(name).then((all) => {
      this.app.tracer.end(span, {});
      if (options.all) found(null, all.map((address) => ({ address, family: 4 })));
      else found(null, all[0], 4);
    }, (error) => {
      this.app.tracer.end(span, {});
      this.app.log('error', `getaddrinfo ${error.code} ${name}`);
      found(error);
    });
  }

  async redis(step) {
    const words = step.command.map((word) => word.replace('$1', this.id));
    const span = this.app.tracer.child(this.span, `redis-${words[0]}`, { 'db.system': 'redis', 'db.statement': step.command.join(' ') });
    try {
      await this.app.redis.call(words);
    } finally {
      this.app.tracer.end(span);
    }
  }

  // So many files are open while the inner steps are done.
  async files(step) {
    const opened = [];
    try {
      for (let number = 0; number < step.count; number += 1) opened.push(await fs.promises.open(this.app.config.catalogue));
      await this.run(step.steps);
    } finally {
      await Promise.all(opened.map((file) => file.close()));
    }
  }

  blocking_call(step) {
    this.app.caller ||= new BlockingCaller();
    const part = this.app.loop;
    part.account();
    part.busy = 1;
    const began = now();
    const status = this.app.caller.call(`${step.url}?ms=${step.ms}`);
    this.app.page.called(step.of, status, now() - began);
    part.account();
    part.busy = 0;
    if (status >= 400) throw failure(502, `${step.of} answered ${status}`);
  }

  cpu(step) {
    compute(step.ms);
  }

  sleep(step) {
    return sleep(step.ms);
  }

  async fsync(step) {
    for (let time = 0; time < step.times; time += 1) {
      await this.app.journal.write(Buffer.alloc(step.bytes), 0, step.bytes, 0);
      await this.app.journal.sync();
    }
  }

  leak(step) {
    this.app.kept.push(new Array(Math.floor(step.bytes / 8)).fill(Math.random()));
  }

  cache(step) {
    const key = this.id % step.keys;
    if (this.app.cached.has(key)) return undefined;
    this.app.cached.add(key);
    return this.run(step.steps);
  }
}

module.exports = { Request, compute, fs };
