// Resources of which there are so many, each with the ledger of its own use; and connections to a database.
'use strict';

const net = require('node:net');

const now = () => Number(process.hrtime.bigint()) / 1e9;

class Part {
  constructor(size, { queue = -1, timeoutMs = 0 } = {}) {
    Object.assign(this, { size, queue, timeoutMs, busy: 0, waiters: [], busySum: 0, changed: now(), waitCount: 0, waitSum: 0, holdCount: 0, holdSum: 0, refused: 0 });
  }

  account() {
    const at = now();
    this.busySum += this.busy * (at - this.changed);
    this.changed = at;
  }

  async use(body) {
    await this.take();
    const began = now();
    try {
      return await body();
    } finally {
      this.holdCount += 1;
      this.holdSum += now() - began;
      this.give();
    }
  }

  take() {
    if (this.busy < this.size) {
      this.account();
      this.busy += 1;
      return undefined;
    }
    if (this.queue >= 0 && this.waiters.length >= this.queue) {
      this.refused += 1;
      throw Object.assign(new Error('queue is full'), { status: 503 });
    }
    return this.wait();
  }

  wait() {
    const began = now();
    return new Promise((resolve, reject) => {
      const waiter = { resolve };
      this.waiters.push(waiter);
      if (this.timeoutMs > 0) {
        waiter.timer = setTimeout(() => {
          this.waiters.splice(this.waiters.indexOf(waiter), 1);
          this.refused += 1;
          reject(Object.assign(new Error('timeout exceeded when trying to connect'), { status: 500 }));
        }, this.timeoutMs);
      }
    }).then(() => {
      this.waitCount += 1;
      this.waitSum += now() - began;
    });
  }

  give() {
    const next = this.waiters.shift();
    if (next) {
      clearTimeout(next.timer);
      next.resolve();
      return;
    }
    this.account();
    this.busy -= 1;
  }

  ledger() {
    this.account();
    return { size: this.size, busy: this.busy, waiting: this.waiters.length, busy_s: this.busySum, wait_count: this.waitCount, wait_s: this.waitSum,
      hold_count: this.holdCount, hold_s: this.holdSum, refused: this.refused };
  }
}

// The message of an error, as node-postgres gives it.
function saidByServer(body) {
  const fields = body.toString().split('\0').filter(Boolean);
  return (fields.find((field) => field[0] === 'M') || 'M').slice(1);
}

// PostgreSQL by its simple query protocol, or the line protocol of the stand-in.
class Connection {
  constructor(config, name) {
    Object.assign(this, { config, name, rest: Buffer.alloc(0), pending: null, failed: null });
  }

  open() {
    this.socket = net.connect(this.config.port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (bytes) => this.read(bytes));
    this.socket.on('error', (error) => this.settle(error));
    // What the server said before it ended the session, if anything.
    this.socket.on('close', () => this.settle(this.failed || new Error('Connection terminated unexpectedly')));
    if (this.config.kind !== 'postgres') return new Promise((resolve, reject) => this.socket.once('connect', resolve).once('error', reject));
    const words = ['user', this.config.user, 'database', this.config.database, 'application_name', this.name, ''];
    const body = Buffer.from(`${words.join('\0')}\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(body.length + 8, 0);
    head.writeInt32BE(196608, 4);
    return this.send(Buffer.concat([head, body]));
  }

  send(bytes) {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.socket.write(bytes);
    });
  }

  query(sql, ms) {
    if (this.config.kind !== 'postgres') return this.send(`${ms} ${sql}\n`);
    const text = Buffer.from(`${sql}\0`);
    const head = Buffer.alloc(5);
    head.write('Q');
    head.writeInt32BE(text.length + 4, 1);
    return this.send(Buffer.concat([head, text]));
  }

  settle(error) {
    const { pending } = this;
    this.pending = null;
    if (pending) (error ? pending.reject(error) : pending.resolve());
  }

  read(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    if (this.config.kind !== 'postgres') {
      if (this.rest.includes(10)) {
        this.rest = Buffer.alloc(0);
        this.settle();
      }
      return;
    }
    while (this.rest.length >= 5 && this.rest.length >= 1 + this.rest.readInt32BE(1)) {
      const size = 1 + this.rest.readInt32BE(1);
      const kind = String.fromCharCode(this.rest[0]);
      if (kind === 'E') this.failed = new Error(saidByServer(this.rest.subarray(5, size)));
      this.rest = this.rest.subarray(size);
      if (kind === 'Z') {
        const { failed } = this;
        this.failed = null;
        this.settle(failed);
      }
    }
  }
}

class Pool extends Part {
  constructor(config, name) {
    super(config.size, { timeoutMs: config.timeout_ms });
    Object.assign(this, { config, name, idle: [] });
  }

  withConnection(body) {
    return this.use(async () => {
      let connection = this.idle.pop();
      if (!connection) {
        connection = new Connection(this.config, this.name);
        await connection.open();
      }
      const answer = await body(connection);
      this.idle.push(connection);
      return answer;
    });
  }
}

module.exports = { Part, Pool, now };
