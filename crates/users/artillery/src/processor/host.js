// Runs a processor in Node. Jobs come in, a line each, on the socket that is this process's standard input; what
// becomes of them goes back on it. The first line says which file to load. `LOOP` is what both homes share,
// `LOADER` the text of a module for the thread of Node's loader.
(function (LOOP, LOADER) {
  'use strict';
  const net = require('node:net');
  const nodeModule = require('node:module');
  const { pathToFileURL } = require('node:url');
  const socket = new net.Socket({ fd: 0 });
  let out = [];
  const flush = () => { const lines = out; out = []; socket.write(lines.join('\n') + '\n'); };
  const send = (line) => { if (out.push(line) === 1) setImmediate(flush); };

  // What is printed takes the same way as replies, so that it keeps its place among them.
  const printing = (kind) => (text, encoding, done) => {
    send(kind + JSON.stringify(typeof text === 'string' ? text : Buffer.from(text).toString('utf8')));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  };
  process.stdout.write = printing('p');
  process.stderr.write = printing('e');
  process.on('uncaughtException', (err) => process.stderr.write(`${err && err.stack ? err.stack : String(err)}\n`));
  globalThis.artillery = { util: {}, suggestedExitCode: undefined };

  const jobs = [];
  let taker = null;
  const next = () => new Promise((resolve) => { if (jobs.length > 0) resolve(jobs.shift()); else taker = resolve; });
  const take = (line) => {
    if (taker === null) return jobs.push(line);
    const resolve = taker;
    taker = null;
    return resolve(line);
  };

  // Files that Node does not take as they are: TypeScript, modules without a package that says so.
  function provide(files, links) {
    if (Object.keys(files).length === 0) return;
    nodeModule._extensions['.ts'] = (made, name) => made._compile(files[pathToFileURL(name).href].code, name);
    if (!nodeModule.register) throw new Error(`Node ${process.version} cannot load TypeScript processors; 18.19 or 20.6 can`);
    nodeModule.register('data:text/javascript,' + encodeURIComponent(LOADER), { data: { files, links } });
  }
  async function begin(line) {
    const { path, isModule, files, links } = JSON.parse(line);
    process.argv[1] = path;
    try {
      provide(files, links);
      const exported = isModule ? await import(pathToFileURL(path).href) : nodeModule.createRequire(path)(path);
      send('r' + JSON.stringify({ version: process.version, names: LOOP.names(exported) }));
      LOOP.start(exported, next, (id, reply) => send(`d${id} ${reply}`), (vu, told) => send(`t${vu} ${told}`));
    } catch (err) {
      const lines = String((err && err.stack) || err).replace(/^Error: /, '').split('\n');
      send('f' + JSON.stringify(lines.filter((line) => !/^ +at .*(node:|data:|\[eval)/.test(line)).join('\n')));
    }
  }

  let begun = false;
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (begun) take(line);
      else { begun = true; begin(line); }
    }
  });
  socket.on('close', () => process.exit());
  socket.on('error', () => process.exit());
});
