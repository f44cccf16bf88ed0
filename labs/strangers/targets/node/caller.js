// The thread that makes a blocking call's request; the loop waits for the signal.
'use strict';

const http = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');

const agent = new http.Agent({ keepAlive: true });

parentPort.on('message', (url) => {
  const done = (status) => {
    Atomics.store(workerData, 0, status);
    Atomics.notify(workerData, 0);
  };
  http.get(url, { agent }, (answer) => {
    answer.resume();
    answer.on('end', () => done(answer.statusCode));
  }).on('error', () => done(599));
});
