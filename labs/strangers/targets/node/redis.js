// Redis by its own protocol, on one connection that all requests share, as node-redis and ioredis do.
'use strict';

const net = require('node:net');

class Redis {
  constructor(port) {
    Object.assign(this, { port, waiting: [], rest: '', socket: null });
  }

  call(words) {
    if (!this.socket) this.open();
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
    });
  }

  open() {
    this.socket = net.connect(this.port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text) => this.read(text));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.socket = null;
      this.rest = '';
      for (const one of this.waiting.splice(0)) one.reject(new Error('Socket closed unexpectedly'));
    });
  }

  read(text) {
    this.rest += text;
    for (let end = ended(this.rest, 0); end > 0; end = ended(this.rest, 0)) {
      const answer = this.rest.slice(0, end);
      this.rest = this.rest.slice(end);
      const { resolve, reject } = this.waiting.shift();
      if (answer[0] === '-') reject(new Error(answer.slice(1).trim()));
      else resolve(answer);
    }
  }
}

// Where the answer that begins at a place ends; 0 where more of it is to come.
function ended(text, start) {
  const line = text.indexOf('\r\n', start);
  if (line < 0) return 0;
  const size = Number(text.slice(start + 1, line));
  let end = line + 2;
  if (text[start] === '$' && size >= 0) end += size + 2;
  if (text[start] === '*') {
    for (let number = 0; number < size; number += 1) {
      end = ended(text, end);
      if (!end) return 0;
    }
  }
  return end <= text.length ? end : 0;
}

module.exports = { Redis };
