// What processors expect of Node, as far as they use it.
(function (host) {
  'use strict';
  const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const utf8 = {
    encode(text) {
      const out = [];
      for (const char of String(text)) {
        const code = char.codePointAt(0);
        if (code < 0x80) out.push(code);
        else if (code < 0x800) out.push(0xc0 | (code >> 6), 0x80 | (code & 63));
        else if (code < 0x10000) out.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        else out.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
      }
      return out;
    },
    decode(bytes) {
      let out = '';
      for (let i = 0; i < bytes.length; ) {
        const first = bytes[i++];
        let more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        let code = more === 0 ? first : first & (0x3f >> more);
        while (more-- > 0) code = (code << 6) | (bytes[i++] & 63);
        out += code > 0x10ffff || Number.isNaN(code) ? '\ufffd' : String.fromCodePoint(code);
      }
      return out;
    },
  };
  function toBase64(bytes, url) {
    let out = '';
    for (let i = 0; i < bytes.length; i += 3) {
      const word = (bytes[i] << 16) | ((bytes[i + 1] || 0) << 8) | (bytes[i + 2] || 0);
      out += ALPHABET[(word >> 18) & 63] + ALPHABET[(word >> 12) & 63];
      out += i + 1 < bytes.length ? ALPHABET[(word >> 6) & 63] : '=';
      out += i + 2 < bytes.length ? ALPHABET[word & 63] : '=';
    }
    return url ? out.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') : out;
  }
  function fromBase64(text) {
    const clean = text.replace(/-/g, '+').replace(/_/g, '/').replace(/[^A-Za-z0-9+/]/g, '');
    const out = [];
    for (let i = 0; i < clean.length; i += 4) {
      const part = [0, 1, 2, 3].map((k) => ALPHABET.indexOf(clean[i + k] || 'A'));
      const word = (part[0] << 18) | (part[1] << 12) | (part[2] << 6) | part[3];
      out.push((word >> 16) & 255);
      if (clean[i + 2]) out.push((word >> 8) & 255);
      if (clean[i + 3]) out.push(word & 255);
    }
    return out;
  }
  class Buffer extends Uint8Array {
    static from(value, encoding) {
      if (typeof value !== 'string') return new Buffer(value);
      if (encoding === 'base64' || encoding === 'base64url') return new Buffer(fromBase64(value));
      if (encoding === 'hex') return new Buffer((value.match(/../g) || []).map((pair) => parseInt(pair, 16)));
      if (encoding === 'latin1' || encoding === 'binary') return new Buffer(Array.from(value, (c) => c.charCodeAt(0)));
      return new Buffer(utf8.encode(value));
    }
    static alloc(size, fill) { return new Buffer(size).fill(fill || 0); }
    static isBuffer(value) { return value instanceof Buffer; }
    static byteLength(value) { return typeof value === 'string' ? utf8.encode(value).length : value.length; }
    static concat(list) { return new Buffer([].concat(...list.map((part) => Array.from(part)))); }
    toString(encoding) {
      if (encoding === 'base64') return toBase64(this, false);
      if (encoding === 'base64url') return toBase64(this, true);
      if (encoding === 'hex') return hex(this);
      if (encoding === 'latin1' || encoding === 'binary') return String.fromCharCode(...this);
      return utf8.decode(this);
    }
    toJSON() { return { type: 'Buffer', data: Array.from(this) }; }
  }
  class EventEmitter {
    constructor() { this._listeners = {}; }
    on(name, f) { (this._listeners[name] = this._listeners[name] || []).push(f); return this; }
    once(name, f) { const g = (...args) => { this.off(name, g); f(...args); }; return this.on(name, g); }
    off(name, f) { this._listeners[name] = (this._listeners[name] || []).filter((g) => g !== f); return this; }
    emit(name, ...args) { const all = this._listeners[name] || []; all.forEach((f) => f(...args)); return all.length > 0; }
  }
  const randomBytes = (size) => Buffer.from(host.randomBytes(size));
  const randomUUID = () => {
    const b = randomBytes(16);
    b[6] = (b[6] & 15) | 64;
    b[8] = (b[8] & 63) | 128;
    const h = hex(b);
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`;
  };
  const digesting = (name, start) => ({
    parts: start,
    update(data) { this.parts.push(...(typeof data === 'string' ? utf8.encode(data) : data)); return this; },
    digest(encoding) { const out = Buffer.from(host.digest(name.toLowerCase(), Uint8Array.from(this.parts).buffer)); return encoding ? out.toString(encoding) : out; },
  });
  const crypto = {
    randomUUID,
    randomBytes,
    randomInt: (low, high) => (high === undefined ? Math.floor(Math.random() * low) : low + Math.floor(Math.random() * (high - low))),
    getRandomValues: (array) => { array.set(randomBytes(array.length)); return array; },
    createHash: (name) => digesting(name, []),
    createHmac: (name, key) => {
      const size = /512|384/.test(name) ? 128 : 64;
      let bytes = typeof key === 'string' ? utf8.encode(key) : Array.from(key);
      if (bytes.length > size) bytes = Array.from(crypto.createHash(name).update(bytes).digest());
      const pad = (x) => Array.from({ length: size }, (_, i) => (bytes[i] || 0) ^ x);
      const inner = digesting(name, pad(0x36));
      return { update(data) { inner.update(data); return this; }, digest: (encoding) => digesting(name, pad(0x5c)).update(inner.digest()).digest(encoding) };
    },
  };
  const clean = (parts) => {
    const out = [];
    for (const part of parts) { if (part === '..') { if (out.length) out.pop(); } else if (part && part !== '.') out.push(part); }
    return out;
  };
  const path = {
    sep: '/',
    join: (...parts) => { const all = parts.filter(Boolean).join('/'); return (all.startsWith('/') ? '/' : '') + clean(all.split('/')).join('/') || '.'; },
    resolve: (...parts) => { let all = ''; for (const part of parts) all = part.startsWith('/') ? part : `${all}/${part}`; if (!all.startsWith('/')) all = `${host.cwd}/${all}`; return '/' + clean(all.split('/')).join('/'); },
    dirname: (name) => name.replace(/\/[^/]*$/, '') || (name.startsWith('/') ? '/' : '.'),
    basename: (name, end) => { const base = name.replace(/\/+$/, '').split('/').pop(); return end && base.endsWith(end) ? base.slice(0, -end.length) : base; },
    extname: (name) => { const found = /.(\.[^./]*)$/.exec(name); return found ? found[1] : ''; },
    isAbsolute: (name) => name.startsWith('/'),
  };
  path.posix = path;
  const readFileSync = (name, options) => {
    const bytes = Buffer.from(host.readFile(String(name)));
    const encoding = typeof options === 'string' ? options : options && options.encoding;
    return encoding ? bytes.toString(encoding) : bytes;
  };
  const existsSync = (name) => { try { host.readFile(String(name)); return true; } catch (_) { return false; } };
  const stringify = (map) => Object.entries(map).map(([k, v]) => [].concat(v).map((item) => `${encodeURIComponent(k)}=${encodeURIComponent(item)}`).join('&')).join('&');
  const util = {
    promisify: (f) => (...args) => new Promise((resolve, reject) => f(...args, (err, value) => (err ? reject(err) : resolve(value)))),
    inspect: (value) => host.inspect(value),
    format: (...args) => args.map((arg) => (typeof arg === 'string' ? arg : host.inspect(arg))).join(' '),
  };
  const process = {
    env: host.env,
    argv: ['node'],
    platform: 'linux',
    pid: 1,
    version: 'v20.0.0',
    versions: { node: '20.0.0' },
    cwd: () => host.cwd,
    nextTick: (f, ...args) => Promise.resolve().then(() => f(...args)),
    hrtime: Object.assign(() => { const now = Date.now(); return [Math.floor(now / 1000), (now % 1000) * 1e6]; }, { bigint: () => BigInt(Date.now()) * 1000000n }),
    on: () => process,
    uptime: () => 0,
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0 }),
    stdout: { write: (text) => host.print(String(text)) },
    stderr: { write: (text) => host.printError(String(text)) },
  };
  const fail = (message) => { throw new Error(message || 'assertion failed'); };
  const assert = Object.assign((ok, message) => ok || fail(message), {
    ok: (ok, message) => ok || fail(message),
    equal: (a, b, message) => a == b || fail(message),
    strictEqual: (a, b, message) => a === b || fail(message),
    deepStrictEqual: (a, b, message) => JSON.stringify(a) === JSON.stringify(b) || fail(message),
  });
  // console.log's formats: %s, %d, %i, %f, %j, %o, %O, %c, %%.
  const format = (...args) => {
    const shown = (arg) => (typeof arg === 'string' ? arg : arg === undefined ? 'undefined' : host.inspect(arg));
    let first = args[0];
    let used = 1;
    if (typeof first === 'string' && args.length > 1) {
      first = first.replace(/%[sdifjoOc%]/g, (form) => {
        if (form === '%%') return '%';
        if (used >= args.length) return form;
        const arg = args[used++];
        switch (form) {
          case '%s': return typeof arg === 'object' && arg !== null ? host.inspect(arg) : String(arg);
          case '%d': return typeof arg === 'object' ? 'NaN' : String(Number(arg));
          case '%i': return typeof arg === 'object' ? 'NaN' : String(parseInt(arg, 10));
          case '%f': return String(parseFloat(arg));
          case '%j': return JSON.stringify(arg);
          case '%c': return '';
          default: return shown(arg);
        }
      });
      return [first, ...args.slice(used).map(shown)].join(' ');
    }
    return args.map(shown).join(' ');
  };
  util.format = format;
  const line = (...args) => host.print(format(...args) + '\n');
  const errorLine = (...args) => host.printError(format(...args) + '\n');
  const modules = {
    crypto, path, util, assert,
    fs: { readFileSync, existsSync, promises: { readFile: async (name, options) => readFileSync(name, options) } },
    buffer: { Buffer },
    events: Object.assign(EventEmitter, { EventEmitter }),
    os: { EOL: '\n', hostname: () => 'localhost', cpus: () => [{}], platform: () => 'linux' },
    querystring: { stringify, encode: stringify, escape: encodeURIComponent, unescape: decodeURIComponent },
    process,
    timers: { setTimeout, clearTimeout, setInterval, clearInterval },
    'timers/promises': { setTimeout: (ms, value) => new Promise((resolve) => setTimeout(() => resolve(value), ms)) },
  };
  Object.assign(globalThis, {
    global: globalThis,
    Buffer,
    process,
    console: { log: line, info: line, debug: line, warn: errorLine, error: errorLine, trace: errorLine },
    artillery: { util: {}, suggestedExitCode: undefined },
    setImmediate: (f, ...args) => setTimeout(f, 0, ...args),
    clearImmediate: clearTimeout,
    btoa: (text) => Buffer.from(text, 'latin1').toString('base64'),
    atob: (text) => Buffer.from(text, 'base64').toString('latin1'),
    __node: modules,
  });
  if (!globalThis.crypto) globalThis.crypto = crypto;
});
