// A back end made of parts that a JSON file switches on: plain http, one event loop, or a cluster of them.
'use strict';

const cluster = require('node:cluster');
const fs = require('node:fs');
const http = require('node:http');
const { Resolver } = require('node:dns').promises;
const { Part, Pool, now } = require('./parts.js');
const { Page } = require('./page.js');
const { Redis } = require('./redis.js');
const { Tracer } = require('./spans.js');
const { Request, compute } = require('./steps.js');

const LEVELS = { warn: 40, error: 50 };

class App {
  constructor(config, number) {
    this.config = config;
    this.page = new Page(config.dialect);
    this.tracer = new Tracer(config.otlp, config.name);
    this.pools = mapped(config.pools, (pool) => new Pool(pool, config.name));
    this.locks = Object.fromEntries((config.locks || []).map((name) => [name, new Part(1)]));
    this.executors = mapped(config.executors, (executor) => new Part(executor.size, { queue: executor.queue }));
    this.rows = new Part(1e9);
    this.loop = new Part(1);
    this.kept = [];
    this.cached = new Set();
    this.requests = 0;
    this.failed = 0;
    this.tokens = 0;
    this.refilled = now();
    this.ledgerFile = `${config.ledger}${number ? `.${number}` : ''}`;
    // Opened once, as a server whose files have run out cannot open more.
    this.ledgerOut = fs.openSync(this.ledgerFile, 'w');
    this.logFile = fs.openSync(config.log, 'a');
    this.redis = new Redis(config.redis_port);
    if (config.names_port) {
      this.names = new Resolver();
      this.names.setServers([`127.0.0.1:${config.names_port}`]);
    }
  }

  log(level, message) {
    const line = this.config.dialect === 2
      ? JSON.stringify({ level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: 'shop', msg: message })
      : `${new Date().toISOString()} ${level}: ${message}`;
    fs.writeSync(this.logFile, `${line}\n`);
  }

  isAllowed() {
    const rate = this.config.rate_limit;
    if (!rate) return true;
    const at = now();
    this.tokens = Math.min(rate, this.tokens + rate * (at - this.refilled));
    this.refilled = at;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  async handle(request, response) {
    const path = request.url.split('?')[0];
    if (path === '/healthz') return this.end(response, request.method, '/healthz', 200, 'ok', now());
    if (path === '/metrics' && this.config.page_port === this.config.port) return this.servePage(response);
    const endpoint = this.config.endpoints.find((one) => one.method === request.method && path.startsWith(one.prefix));
    if (!endpoint) return this.end(response, request.method, 'none', 404, 'no such path', now());
    request.resume();
    const began = now();
    if (!this.isAllowed()) {
      response.setHeader('Retry-After', '1');
      this.requests += 1;
      this.failed += 1;
      return this.end(response, request.method, endpoint.route, 429, 'Too many requests', began);
    }
    const id = Number(path.slice(endpoint.prefix.length)) || 0;
    const span = this.tracer.begin(request, `${request.method} ${endpoint.route}`, { 'http.request.method': request.method, 'http.route': endpoint.route });
    let status = 200;
    let text = JSON.stringify({ id, state: 'open' });
    try {
      await new Request(this, id, span).run(endpoint.steps);
    } catch (error) {
      status = error.status || 500;
      text = error.message;
      this.log('error', `${request.method} ${endpoint.route} ${status}: ${error.message}`);
    }
    this.tracer.end(span, { 'http.response.status_code': status });
    this.requests += 1;
    if (status >= 400) this.failed += 1;
    return this.end(response, request.method, endpoint.route, status, text, began);
  }

  end(response, method, route, status, text, began) {
    if (this.config.closes) response.setHeader('Connection', 'close');
    response.statusCode = status;
    response.end(`${text}\n`);
    this.page.answered(method, route, status, now() - began);
  }

  servePage(response) {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    // As prom-client measures the loop's lag: how long a callback that may run at once has to wait.
    const began = now();
    setImmediate(() => {
      this.page.lag = now() - began;
      response.end(this.page.text(this));
    });
  }

  keepLedger() {
    const parts = { row: this.rows.ledger(), loop: this.loop.ledger() };
    for (const [kind, all] of Object.entries({ pool: this.pools, lock: this.locks, executor: this.executors })) {
      for (const [name, part] of Object.entries(all)) parts[`${kind}:${name}`] = part.ledger();
    }
    fs.writeSync(this.ledgerOut, `${JSON.stringify({ t: Date.now() / 1000, requests: this.requests, failed: this.failed, parts })}\n`);
  }

  async start() {
    this.journal = await fs.promises.open(`${this.ledgerFile}.journal`, 'w');
    setInterval(() => this.keepLedger(), 1000);
    const { stop, port, page_port: pagePort } = this.config;
    if (stop) setInterval(() => compute(stop.ms), stop.every_ms);
    if (pagePort !== port) http.createServer((_, response) => this.servePage(response)).listen(pagePort, '127.0.0.1');
    http.createServer((request, response) => this.handle(request, response)).listen(port, '127.0.0.1', 1024);
  }
}

function mapped(all, make) {
  return Object.fromEntries(Object.entries(all || {}).map(([name, one]) => [name, make(one)]));
}

const config = JSON.parse(fs.readFileSync(process.argv[2]));
process.on('SIGTERM', () => process.exit(0));
if (config.processes > 1 && cluster.isPrimary) {
  for (let number = 0; number < config.processes; number += 1) cluster.fork();
} else {
  new App(config, config.processes > 1 ? cluster.worker.id : 0).start();
}
