// Runs a processor's functions for jobs, wherever it lives: in loadline's own interpreter or in Node.
(function () {
  'use strict';
  const contexts = new Map();
  const STATES = ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'];
  const hidden = (vars) => {
    for (const name of ['$env', '$processEnvironment']) {
      if (!Object.prototype.hasOwnProperty.call(vars, name)) Object.defineProperty(vars, name, { value: process.env, enumerable: false, writable: true, configurable: true });
    }
    return vars;
  };
  // JSON in which dates, numbers out of range and the like are as JSON.stringify makes them.
  const toJson = (value) => {
    const seen = new Set();
    return JSON.stringify(value, function (key, item) {
      if (typeof item === 'bigint') return Number(item);
      if (typeof item === 'object' && item !== null) {
        if (seen.has(item)) {
          // The same object twice is fine, an object within itself is not.
          try { JSON.stringify(item); } catch (_) { return undefined; }
        }
        seen.add(item);
      }
      return item;
    });
  };

  // The user's WebSocket as functions see it; what they do with it is told to loadline at once.
  class Socket {
    constructor(act, state) { this._act = act; this._listeners = {}; this.readyState = state; this.onmessage = undefined; }
    on(name, f) { (this._listeners[name] = this._listeners[name] || []).push(f); return this; }
    addListener(name, f) { return this.on(name, f); }
    once(name, f) { const g = (...args) => { this.off(name, g); f.apply(this, args); }; return this.on(name, g); }
    off(name, f) { this._listeners[name] = (this._listeners[name] || []).filter((g) => g !== f); return this; }
    removeListener(name, f) { return this.off(name, f); }
    removeAllListeners(name) { if (name === undefined) this._listeners = {}; else delete this._listeners[name]; return this; }
    addEventListener(name, f) { return this.on(name, name === 'message' ? (data) => f({ type: name, data, target: this }) : (code) => f({ type: name, code, target: this })); }
    listenerCount(name) { return (this._listeners[name] || []).length; }
    emit(name, ...args) { const all = this._listeners[name] || []; for (const f of [...all]) f.apply(this, args); return all.length > 0; }
    send(data, options, sent) {
      const callback = typeof options === 'function' ? options : sent;
      if (this.readyState !== 1) {
        if (callback) callback(new Error(`WebSocket is not open: readyState ${this.readyState} (${STATES[this.readyState]})`));
        return;
      }
      this._act('send', String(data));
      if (callback) Promise.resolve().then(() => callback());
    }
    ping(data) { this._act('ping', data === undefined ? '' : String(data)); }
    pong() {}
    close(code) { if (this.readyState === 1) { this.readyState = 2; this._act('close', code === undefined ? null : code); } }
    terminate() { this.readyState = 3; this._act('terminate', null); }
  }

  // The cookies of a user as tough-cookie shows them; changes are told back.
  function makeJar(job, changed) {
    const jar = {
      store: { idx: job.cookies || {} },
      setCookieSync(text, url) { changed.push([String(text), String(url)]); },
      setCookie(text, url, done) { jar.setCookieSync(text, url); if (done) done(null); return Promise.resolve(); },
      getCookiesSync() {
        const all = [];
        for (const paths of Object.values(jar.store.idx)) for (const names of Object.values(paths)) all.push(...Object.values(names));
        return all;
      },
      getCookieStringSync(url) { return jar.getCookiesSync(url).map((cookie) => `${cookie.key}=${cookie.value}`).join('; '); },
      getCookies(url, done) { const all = jar.getCookiesSync(url); if (done) done(null, all); return Promise.resolve(all); },
    };
    return jar;
  }

  function contextOf(job) {
    let context = contexts.get(job.vu);
    if (!context) {
      context = { vars: hidden({}), funcs: {}, scenario: job.scenario || {}, _uid: job.uid, _successCount: 0, _jar: {} };
      Object.defineProperty(context, '_told', { value: new Map(), enumerable: false });
      contexts.set(job.vu, context);
    }
    // Only what the flow changed since the last call is taken over: functions may change variables at any
    // time, and what is the same stays the same object, with what JSON does not hold.
    const told = context._told;
    for (const [name, value] of Object.entries(job.vars)) {
      if (!told.has(name) || told.get(name) !== JSON.stringify(value)) context.vars[name] = value;
    }
    for (const name of told.keys()) {
      if (!(name in job.vars)) delete context.vars[name];
    }
    return context;
  }

  // Where an error was thrown, for people.
  const placeOf = (err) => {
    const stack = err && typeof err === 'object' && typeof err.stack === 'string' ? err.stack : '';
    const line = stack.split('\n').find((text) => /:\d+:\d+\)?$/.test(text.trim()) && !/loadline:|\[eval|node:/.test(text));
    return line ? line.trim().replace(/^at /, '').replace(/file:\/\//g, '') : '';
  };

  // `artillery.util.template`: `{{ x }}` alone keeps its type, within a text it becomes text.
  const valueAt = (vars, path) => {
    if (path in vars) return vars[path];
    const steps = path.match(/[^.[\]'"]+/g) || [];
    return steps.reduce((value, step) => (value === undefined || value === null ? undefined : value[step]), vars);
  };
  const shown = (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));
  const PLACE = /\{\{\{?([\s\w$.[\]'"-]+)\}\}\}?/;
  function template(value, context) {
    if (typeof value === 'string') {
      const whole = PLACE.exec(value);
      if (whole && whole[0] === value) return valueAt(context.vars, whole[1].trim());
      return value.replace(new RegExp(PLACE, 'g'), (_, path) => shown(valueAt(context.vars, path.trim())));
    }
    if (Array.isArray(value)) return value.map((item) => template(item, context));
    if (value === null || typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array) return value;
    // Names with templates come last.
    const isPlain = ([name]) => !PLACE.test(name);
    const entries = Object.entries(value);
    const ordered = [...entries.filter(isPlain), ...entries.filter((entry) => !isPlain(entry))];
    return Object.fromEntries(ordered.map(([name, item]) => [template(name, context), template(item, context)]));
  }

  function start(exported, next, done, tell) {
    globalThis.artillery.util.template = template;
    const functions = Object.assign({}, exported && exported.default ? exported.default : {}, exported);
    const called = (f, args, isPlain, ignores) => new Promise((resolve, reject) => {
      if (isPlain) f(...args, (err, value) => (err && !ignores ? reject(err) : resolve(value)));
      else Promise.resolve(f(...args)).then(resolve, reject);
    });
    const socketOf = (context, job) => {
      if (job.ws === undefined) return;
      if (!context.ws) context.ws = new Socket((action, payload) => tell(job.vu, JSON.stringify(['ws', action, payload])), job.ws);
      context.ws.readyState = job.ws;
    };
    async function run(job) {
      const events = [];
      let isOpen = true;
      const ee = {
        emit: (...args) => { if (isOpen) events.push(args); else tell(job.vu, toJson(args)); return true; },
        on: () => ee, once: () => ee, off: () => ee, addListener: () => ee, removeListener: () => ee,
      };
      const reply = { events };
      const context = contextOf(job);
      const cookies = [];
      context._jar = makeJar(job, cookies);
      socketOf(context, job);
      let now = '';
      try {
        for (const name of job.names) {
          const f = functions[name];
          now = name;
          if (typeof f !== 'function') { reply.missing = (reply.missing || []).concat(name); continue; }
          const isPlain = f.constructor.name === 'Function';
          switch (job.kind) {
            case 'step': await called(f, [context, ee], isPlain); break;
            case 'socketStep': await called(f, [context, ee], isPlain, true); break;
            case 'beforeRequest': await called(f, [job.req, context, ee], isPlain); break;
            case 'afterResponse': job.res.request = job.res.request || { options: job.req }; await called(f, [job.req, job.res, context, ee], isPlain); break;
            case 'onError': await called(f, [Object.assign(new Error(job.error), { code: job.code }), job.req, context, ee], isPlain); break;
            case 'whileTrue': reply.value = await new Promise((resolve, reject) => { const value = f(context, resolve); if (value && value.then) value.then(resolve, reject); }); break;
            case 'ifTrue': reply.value = Boolean(f(context.vars)); break;
            case 'connect': await called(f, [job.req, context], isPlain); break;
          }
        }
      } catch (err) {
        const code = err && typeof err === 'object' ? err.code || err.message : undefined;
        reply.error = String(code);
        reply.thrown = { name: now, text: String(err && err.message !== undefined ? `${err.name}: ${err.message}` : err), place: placeOf(err) };
      }
      if (job.kind === 'beforeRequest' || job.kind === 'connect') reply.req = job.req;
      reply.vars = context.vars;
      const dates = Object.entries(context.vars).filter(([, value]) => value instanceof Date);
      if (dates.length > 0) reply.dates = dates.map(([name, value]) => [name, value.toJSON() || 'null']);
      if (cookies.length > 0) reply.cookies = cookies;
      reply.exit = globalThis.artillery.suggestedExitCode;
      isOpen = false;
      const text = toJson(reply);
      context._told.clear();
      for (const [name, value] of Object.entries(JSON.parse(text).vars)) context._told.set(name, JSON.stringify(value));
      done(job.id, text);
    }
    function socketEvent(job) {
      const context = contexts.get(job.vu);
      if (!context || !context.ws) return;
      context.ws.readyState = job.ws;
      if (job.event === 'message') context.ws.emit('message', job.binary ? Buffer.from(job.data) : job.data);
      else context.ws.emit(job.event, job.data);
    }
    return (async () => {
      for (;;) {
        const text = await next();
        if (text === undefined) return;
        const job = JSON.parse(text);
        if (job.kind === 'end') contexts.delete(job.vu);
        else if (job.kind === 'socket') socketEvent(job);
        else run(job);
      }
    })();
  }
  return { start, names: (exported) => Object.keys(Object.assign({}, exported && exported.default ? exported.default : {}, exported)) };
})();
