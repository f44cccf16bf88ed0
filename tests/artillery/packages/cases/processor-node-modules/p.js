const fs = require('fs/promises');
const path = require('path');
const { EventEmitter } = require('events');
const { createGzip, gunzipSync, gzipSync } = require('zlib');
const { pipeline, Readable } = require('stream');
const url = require('url');

class Bus extends EventEmitter {}

exports.f = async (context) => {
  const bus = new Bus();
  bus.once('x', (value) => { context.vars.a = value; });
  bus.emit('x', 'heard');
  const stat = await fs.stat(path.join(__dirname, 'p.js'));
  context.vars.b = stat.isFile() + String(bus.listenerCount('x'));
  context.vars.c = gunzipSync(gzipSync('packed')).toString();
  context.vars.d = url.parse('http://h:1/p?q=1').pathname;
};
